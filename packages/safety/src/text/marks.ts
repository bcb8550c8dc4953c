import { applyEdits, type DerivedText } from "./derivation.js";
import type { Edit } from "./range.js";

/** Escapes of JSON and of program code for printable ASCII characters. */
const ESCAPE = String.raw`\\{1,2}(?:u00|x)([2-7][0-9A-Fa-f])`;
const START = String.raw`[\x1b\x9b]`;
/** Control sequences of terminals: colours, cursor, links. */
const TERMINAL = String.raw`${START}(?:\[[0-?]{0,16}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[@-Z^_])?`;
/** Marks of Markdown and HTML within a word. */
const MARK =
  "(?<=[\\w-])(?:\\*{1,3}|`{1,3}|~~|\\\\(?=[_*~-])|</?(?:b|i|u|em|strong|code|span|wbr)>)(?=[\\w*~`<\\\\-])";
const HINT = new RegExp(`\\\\(?:u00|x)[2-7]|${START}|[\\w-](?:[*\`~<]|\\\\[_*~-])`);
const MARKS = new RegExp(`${ESCAPE}|${TERMINAL}|${MARK}`, "g");

/**
 * Returns the text as a reader sees it: escapes of characters decoded, and the marks of terminals and
 * of Markdown within words removed.
 * @param from - text, which is returned unchanged when it has none
 */
export function withoutMarks(from: DerivedText): DerivedText {
  if (!HINT.test(from.text)) return from;
  const edits = [...from.text.matchAll(MARKS)].map(
    ({ index, 0: mark, 1: code }): Edit => ({
      range: [index, index + mark.length],
      replacement: code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16)),
    }),
  );
  return applyEdits(from, edits);
}
