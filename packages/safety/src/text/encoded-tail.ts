/** Minimum length of a line of base64 that can continue on the next one; a sign at its end may belong to the break. */
const LEAST_LINE = 22;
const LEAST_BEFORE_BLANK = 36;
const BLANKS = /^[ \t]*$/;
const NARROWEST = 2;
/** Maximum length of the text between two lines. */
const LONGEST_BREAK = 96;
/** Maximum length of narrow lines that wait for their end; a guard delays a text with more of them. */
const REACH = 8192;

const digits = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");
/** Characters of a break between two lines: blanks, the line break, and the marks of strings, quotations and margins. */
const marks = tableOf(" \t\r\n\"'`\\&+.,>|*#/");
const breaks = new Set("\r\n");
const escapes = new Set("nr");
const BACKSLASH = "\\";

/** Returns the offset at which base64 begins that is wrapped over lines and reaches to the end of a text. */
export function openEncoded(text: string): number {
  return Math.min(openLines(text), openNarrowLines(text));
}

function openLines(text: string): number {
  let from = skipBack(digits, text, text.length);
  let open = text.length;
  for (;;) {
    const end = breakStart(text, from);
    const start = skipBack(digits, text, end);
    const least = BLANKS.test(text.slice(end, from)) ? LEAST_BEFORE_BLANK : LEAST_LINE;
    if (end === from || end - start < least || from - end > LONGEST_BREAK) return open;
    open = start;
    from = start;
  }
}

/** Lines that are shorter must have one length; the last one may be incomplete. */
function openNarrowLines(text: string): number {
  let start = text.length;
  const least = Math.max(0, text.length - REACH);
  while (start > least && (is(digits, text, start - 1) || breaks.has(text.charAt(start - 1))))
    start -= 1;
  const lines = text.slice(start).split("\n");
  const last = widthOf(lines.at(-1));
  const width = widthOf(lines.at(-2));
  if (width < NARROWEST || last > width) return text.length;
  const other = lines.slice(0, -1).findLastIndex((line) => widthOf(line) !== width);
  return lines.slice(0, other + 1).reduce((at, line) => at + line.length + 1, start);
}

function widthOf(line = ""): number {
  return line.endsWith("\r") ? line.length - 1 : line.length;
}

/** Returns the offset at which the break before an offset begins, with escaped line breaks. */
function breakStart(text: string, end: number): number {
  let at = end;
  for (;;) {
    if (is(marks, text, at - 1)) at -= 1;
    else if (escapes.has(text.charAt(at - 1)) && text.charAt(at - 2) === BACKSLASH) at -= 2;
    else return at;
  }
}

function skipBack(table: Uint8Array, text: string, from: number): number {
  let at = from;
  while (is(table, text, at - 1)) at -= 1;
  return at;
}

function is(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
