/** Characters of pairs of hexadecimal digits, of their separators and prefixes. */
const PAIR_UNITS = /[0-9A-Fa-f :,;._|/\\xX"'\t\r\n-]/;
/** Maximum length of pairs that wait for their end; a guard delays a text with more of them. */
const REACH = 8192;
/** Line of a dump with offsets, perhaps incomplete. */
const DUMP_LINE = /^(?:[0-9A-Fa-f]{6,8}[: \t]|[0-9A-Fa-f]{0,8}$)/;
/** First line of a dump, perhaps incomplete. */
const FIRST_LINE = /^(?:0{6,8}[: \t]|0{1,8}$)/;

/** Returns the offset at which hexadecimal digits or a dump begin that reach to the end of a text. */
export function openDigits(text: string): number {
  return Math.min(openPairs(text), openDump(text));
}

/** Letters of words in front of the pairs wait with them. */
function openPairs(text: string): number {
  let from = text.length;
  let digits = 0;
  while (from > 0 && text.length - from < REACH && PAIR_UNITS.test(text.charAt(from - 1))) {
    from -= 1;
    if (/[0-9A-Fa-f]/.test(text.charAt(from))) digits += 1;
  }
  return digits < 2 ? text.length : from;
}

/** Goes back from the last line as long as lines have offsets. */
function openDump(text: string): number {
  let first = text.length;
  let end = text.length;
  for (;;) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 16));
    if (!DUMP_LINE.test(line)) return first;
    if (FIRST_LINE.test(line)) first = start;
    if (start === 0) return first;
    end = start - 1;
  }
}
