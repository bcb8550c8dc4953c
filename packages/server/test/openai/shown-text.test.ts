import { describe, expect, it } from "vitest";
import { ShownText } from "../../src/openai/shown-text.js";

/** Returns the text that a reader sees for the chunks of model calls and for the final text. */
function seen(calls: readonly (readonly string[])[], final: string): string {
  const text = new ShownText();
  let shown = "";
  for (const pieces of calls) {
    for (const piece of pieces) shown += text.add(piece);
    text.endParagraph();
    text.endParagraph();
  }
  return shown + text.rest(final);
}

describe("ShownText", () => {
  it.each([
    ["a text that was streamed whole", [["Good ", "day."]], "Good day.", "Good day."],
    ["nothing streamed", [], "Good day.", "Good day."],
    ["nothing at all", [[], []], "", ""],
    [
      "texts around tool calls",
      [["I look."], [], ["It is ", "a cat."]],
      "It is a cat.",
      "I look.\n\nIt is a cat.",
    ],
    [
      "a final text that goes on",
      [["One."], ["Two."]],
      "Two.\n\nI stopped.",
      "One.\n\nTwo.\n\nI stopped.",
    ],
    ["a final text that spans paragraphs", [["One."], ["Two."]], "One.\n\nTwo.", "One.\n\nTwo."],
    ["another final text", [["One."]], "Two.", "One.\n\nTwo."],
    ["a final text that was taken back", [["One."]], "", "One."],
  ])("shows the complete text once for %s", (_, calls, final, whole) => {
    expect(seen(calls, final)).toBe(whole);
  });
});
