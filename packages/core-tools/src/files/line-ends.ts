import { diffArrays } from "diff";

const BYTE_ORDER_MARK = "\uFEFF";
/** Time in milliseconds to align the lines of one replacement. */
const ALIGNMENT_MS = 500;

/** Text of a file whose lines all end in `\n`, and what it takes to write it back as it was. */
export interface NormalizedText {
  /** The byte order mark of the file, or the empty string. */
  readonly mark: string;
  /** Text without the mark, with `\n` as the only line end. */
  readonly text: string;
  /** Line ends of the file, in order: one for each `\n` of `text`. */
  readonly ends: readonly string[];
  /** Converts a text that a caller gave to the line ends of `text`. */
  readonly normalize: (given: string) => string;
}

/**
 * Separates a text from its line ends, so that it can be matched with any others.
 * @param raw - text of a file. Its line ends are `\r\n` and `\n`; a lone `\r` is one only in a file
 *   without `\n`, and otherwise an ordinary character.
 */
export function normalizeLineEnds(raw: string): NormalizedText {
  const mark = raw.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const body = raw.slice(mark.length);
  const pattern = body.includes("\n") || !body.includes("\r") ? /\r?\n/g : /\r\n?|\n/g;
  const normalize = (given: string) => given.replace(pattern, "\n");
  return { mark, text: normalize(body), ends: body.match(pattern) ?? [], normalize };
}

/** Removes a byte order mark from the beginning of a text. */
export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/**
 * Returns the line ends of the lines that replace others: a line that remains keeps its own, and a new line
 * takes the one of its place.
 * @param before - replaced lines
 * @param ends - their line ends; may be shorter than `before`, whose last line may have none
 * @param after - lines that replace them
 * @param around - line end for new lines where no replaced line has one
 */
export function endsOfReplacement(
  before: readonly string[],
  ends: readonly string[],
  after: readonly string[],
  around: string,
): string[] {
  const [first = around] = ends;
  // Without a choice the lines need no alignment.
  if (ends.every((end) => end === first)) return after.map(() => first);
  const changes = diffArrays([...before], [...after], { timeout: ALIGNMENT_MS });
  if (changes === undefined) return after.map((_line, index) => ends[index] ?? around);
  const result: string[] = [];
  let removedEnds: readonly string[] = [];
  let at = 0;
  for (const { added, removed, count } of changes) {
    const own = added ? removedEnds : ends.slice(at, at + count);
    removedEnds = removed ? own : [];
    if (!added) at += count;
    if (removed) continue;
    for (let line = 0; line < count; line += 1) {
      result.push(own[line] ?? own.at(-1) ?? result.at(-1) ?? ends[at] ?? around);
    }
  }
  return result;
}

/** Returns the line end that all lines of a text have; undefined where they differ or there is one line. */
export function uniformLineEnd({ ends }: NormalizedText): string | undefined {
  const [first] = ends;
  return first !== undefined && ends.every((end) => end === first) ? first : undefined;
}
