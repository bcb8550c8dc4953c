import type { ReplyPreview } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { PreviewedText } from "../../src/turn/reply-preview.js";

const FACE = "\u{1f600}";

/** Shows each code unit by itself. */
function units(): ReplyPreview {
  let held = "";
  return {
    push(text) {
      const shown = held + text.slice(0, -1);
      held = text.slice(-1);
      return shown;
    },
    flush() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

function opened(): PreviewedText {
  const onFailure = (problem: string) => expect.unreachable(problem);
  return new PreviewedText(() => [units()], { safety: {}, onFailure });
}

describe("a text that is shown while a model writes it", () => {
  it("[TURN-890] has whole characters, however its parts and handlers divide them", () => {
    const previewed = opened();
    const text = `one ${FACE} two ${FACE}${FACE} three `;
    const shown = [...text.split("").map((unit) => previewed.push(unit)), previewed.flush()];
    expect(shown.join("")).toBe(text);
    expect(shown.filter((part) => !part.isWellFormed())).toEqual([]);
  });

  it("[TURN-202] shows U+FFFD for half of a character", () => {
    const previewed = opened();
    const shown = ["one \ud83d two ", "\ude00 three ", "\ud83d"].map((part) =>
      previewed.push(part),
    );
    expect([...shown, previewed.flush()].join("")).toBe("one \ufffd two \ufffd three \ufffd");
  });
});
