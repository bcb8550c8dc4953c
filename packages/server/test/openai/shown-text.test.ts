import { describe, expect, it } from "vitest";
import { BETWEEN_PARTS, ShownText, type TextChunk } from "../../src/openai/shown-text.js";

/** Returns the parts that a reader sees for the chunks of model calls and for the final text. */
function seen(calls: readonly (readonly string[])[], parts: readonly string[]): string[] {
  const text = new ShownText();
  const shown = [""];
  const show = (chunk: TextChunk) => {
    if (chunk.startsPart) shown.push("");
    shown[shown.length - 1] += chunk.text;
  };
  for (const pieces of calls) {
    for (const piece of pieces) show(text.add(piece));
    text.endPart();
    text.endPart();
  }
  text.rest(parts.join(BETWEEN_PARTS), parts).forEach(show);
  return shown;
}

describe("ShownText", () => {
  it.each([
    ["a text that was streamed whole", [["Good ", "day."]], ["Good day."], ["Good day."]],
    ["nothing streamed", [], ["Good day."], ["Good day."]],
    ["parts that were not streamed", [], ["One.", "Two."], ["One.", "Two."]],
    ["nothing at all", [[], []], [], [""]],
    [
      "texts around tool calls",
      [["I look."], [], ["It is ", "a cat."]],
      ["It is a cat."],
      ["I look.", "It is a cat."],
    ],
    [
      "a final text that goes on",
      [["One."], ["Two."]],
      ["Two.", "I stopped."],
      ["One.", "Two.", "I stopped."],
    ],
    ["a part of which the end is missing", [["One."], ["Tw"]], ["One.", "Two."], ["One.", "Two."]],
    ["a final text that spans parts", [["One."], ["Two."]], ["One.", "Two."], ["One.", "Two."]],
    ["parts of which one was streamed", [["One."]], ["One.", "Two."], ["One.", "Two."]],
    ["another final text", [["One."]], ["Two."], ["One.", "Two."]],
    ["a final text that was taken back", [["One."]], [], ["One."]],
  ])("[TURN-400] shows each part once for %s", (_, calls, final, whole) => {
    expect(seen(calls, final)).toEqual(whole);
  });
});
