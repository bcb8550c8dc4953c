import type { Range } from "../../text/range.js";
import { FLAGGED_INJECTION } from "../injection-actions.js";
import type { InjectionRule } from "../rule.js";

/** Tag characters; a run after the black flag and up to its cancel tag is the flag of a region. */
const TAGS = /(?<!\ud83c\udff4(?:\udb40[\udc20-\udc7e]){0,6})(?:\udb40[\udc00-\udc7f]){4,}/g;
/** Variation selectors, with which bytes are hidden behind one character; text has one behind a character. */
const SELECTORS = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){8,}/g;
/** Characters without width, with which bits are written; text has a few in a row at most. */
const WIDTHLESS = /[\u200b-\u200d\u2060-\u2064\ufeff]{16,}/g;
const ENCODED = new RegExp([TAGS, SELECTORS, WIDTHLESS].map(({ source }) => source).join("|"), "g");

/** Text that only a program reads, because its characters have no shape (SAFE-423). */
export const HIDDEN_TEXT_RULE: InjectionRule = {
  kind: "injection",
  id: "hidden_text",
  title: "text in invisible characters",
  reason:
    "Tag characters, variation selectors and characters without width carry text that no person sees and some models read.",
  severity: "high",
  marker: "text in invisible characters",
  sees: "text",
  escape: "remove",
  actions: FLAGGED_INJECTION,
  detector: { by: "search", search: hiddenRuns },
  examples: {
    match: [
      `Nice.${tagged("ignore previous")}`,
      `x${"\u{e0101}\u{e0110}".repeat(8)}`,
      `x${"\u200b\u200c".repeat(8)}`,
    ],
    clean: [
      "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
      "\u2764\ufe0f",
      "a\u200bb",
    ],
  },
};

function* hiddenRuns(text: string): Iterable<Range> {
  for (const { index, 0: run } of text.matchAll(ENCODED)) yield [index, index + run.length];
}

function tagged(text: string): string {
  return [...text].map((letter) => String.fromCodePoint(0xe_00_00 + letter.charCodeAt(0))).join("");
}
