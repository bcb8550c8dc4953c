import type { Range } from "../text/range.js";
import type { SearchedText } from "./anchor-search.js";
import { forEachRun } from "./long-run.js";

/** Minimum length of a line in base64 whose lines are wrapped; the last one may be shorter. */
const LEAST_LINE = 26;
const NARROWEST = 3;
const LINE_BREAK = "\n";
const LINE_FEED = LINE_BREAK.charCodeAt(0);
/**
 * Text between two lines of base64: a line break or an escape of one with the marks of strings, quotations, lists and
 * margins, or the blanks that a shell puts in its place behind lines of at least 40 characters, which words are not.
 */
const BREAK =
  /(?:["'`]?[ \t]{0,8}[\\&+.,]?[ \t]{0,8}\r?\n[ \t]{0,48}(?:(?:[>|*#+&.]|\/\/)[ \t]{0,8}){0,3}["'`]?|(?:\\{1,4}r)?\\{1,4}n|(?<=[A-Za-z0-9+/]{40})[ \t]{1,4})/y;
const LAST_LINE = /([A-Za-z0-9+/]{1,25})(={0,2})(?![A-Za-z0-9+/=])/y;
const ESCAPED_BREAK = /[nr]/;
const WHOLE_LINE = /^[A-Za-z0-9+/]+={0,2}$/;
const SHORT_LINE = /^[A-Za-z0-9+/]+={0,2}/;
const GROUP = 4;

/** Run of base64, perhaps over several lines. */
export interface EncodedRun {
  readonly range: Range;
  /** Digits of all lines. */
  readonly encoded: string;
}

/**
 * Calls back for each run of base64 of 26 or more characters, and for the lines together over which a longer one was wrapped. Each line of
 * these has a call as well, because it can also be a separate value.
 * @param visit - receives the run
 */
export function forEachEncodedRun(searched: SearchedText, visit: (run: EncodedRun) => void): void {
  const { text, units } = searched;
  const lines: Range[] = [];
  const close = () => {
    visitLines(text, lines, visit);
    lines.length = 0;
  };
  forEachRun(units, "base64", LEAST_LINE, ([start, end]) => {
    visit({ range: [start, end], encoded: text.slice(start, end) });
    const isEscape = text.charAt(start - 1) === "\\" && ESCAPED_BREAK.test(text.charAt(start));
    const from = isEscape ? start + 1 : start;
    const last = lines.at(-1);
    if (last !== undefined && breakEnd(text, last[1]) !== from) close();
    lines.push([from, end]);
  });
  close();
  visitNarrowLines(searched, visit);
}

function visitLines(text: string, lines: readonly Range[], visit: (run: EncodedRun) => void): void {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return;
  const full = lines.map((range) => text.slice(...range)).join("");
  const rest = lastLine(text, last[1], full.length);
  if (lines.length === 1 && rest === undefined) return;
  const encoded = rest === undefined ? full : full + text.slice(...rest);
  visit({ range: [first[0], paddingEnd(text, rest?.[1] ?? last[1])], encoded });
}

/** Returns a short last line, which completes the groups of the digits before it. */
function lastLine(text: string, at: number, length: number): Range | undefined {
  const start = breakEnd(text, at);
  if (start === undefined) return undefined;
  LAST_LINE.lastIndex = start;
  const [found, digits = "", padding = ""] = LAST_LINE.exec(text) ?? [];
  const isComplete = (length + digits.length + padding.length) % GROUP === 0;
  return found === undefined || !isComplete ? undefined : [start, start + digits.length];
}

function paddingEnd(text: string, at: number): number {
  let end = at;
  while (end - at < 2 && text.charAt(end) === "=") end += 1;
  return end;
}

function breakEnd(text: string, at: number): number | undefined {
  BREAK.lastIndex = at;
  return BREAK.test(text) ? BREAK.lastIndex : undefined;
}

/** Lines that are shorter than other wrapped ones are words unless all of them have one length. */
function visitNarrowLines({ text, units }: SearchedText, visit: (run: EncodedRun) => void): void {
  let start = text.indexOf(LINE_BREAK) + 1;
  while (start > 0) {
    const end = text.indexOf(LINE_BREAK, start);
    if (end === -1) return;
    const width = end - start;
    const isNarrow = width <= LEAST_LINE && width >= NARROWEST;
    // The next line has the same length.
    const isFirst = isNarrow && units[end + 1 + width] === LINE_FEED;
    const last = isFirst ? visitNarrowGroup(text, start, width, visit) : end;
    start = last + 1;
  }
}

/** Returns the offset of the last line break that was read. */
function visitNarrowGroup(
  text: string,
  first: number,
  width: number,
  visit: (run: EncodedRun) => void,
): number {
  const hasReturn = text.charAt(first + width - 1) === "\r";
  const between = hasReturn ? "\r\n" : LINE_BREAK;
  const digits = hasReturn ? width - 1 : width;
  const lines: Range[] = [];
  const before = first - between.length;
  // The first line may begin behind other text.
  if (isLine(text, before - digits, before)) lines.push([before - digits, before]);
  let at = first;
  while (isLine(text, at, at + digits)) {
    lines.push([at, at + digits]);
    at += digits;
    if (!text.startsWith(between, at)) break;
    at += between.length;
  }
  const [rest = ""] = text.slice(at, at + digits).match(SHORT_LINE) ?? [];
  if (rest !== "" && text.startsWith(between, at - between.length))
    lines.push([at, at + rest.length]);
  const encoded = lines.map((range) => text.slice(...range)).join("");
  const [from] = lines;
  const last = lines.at(-1);
  if (from !== undefined && last !== undefined && encoded.length >= LEAST_LINE) {
    visit({ range: [from[0], last[1]], encoded });
  }
  return Math.max(first + width, at - 1);
}

function isLine(text: string, start: number, end: number): boolean {
  return start >= 0 && WHOLE_LINE.test(text.slice(start, end)) && end <= text.length;
}
