import { startOfText } from "@openclaw/foundation";
import { visible } from "@openclaw/messaging";
import type { Terminal } from "./terminal.js";

/** Width in characters when the output is not a terminal. */
const USUAL_WIDTH = 80;
const LONGEST_CELL = 40;
/** Columns are not cut below this width, which is the width of a time. */
const SHORTEST_CUT = 19;
const GAP = 2;

/** Options of {@link printRows}. */
export interface RowOptions {
  /** Titles of the columns, printed above them. */
  readonly titles?: readonly string[] | undefined;
}

/**
 * Prints rows in columns that fit the width of the terminal. The last column is wrapped at spaces; in the others a
 * cell of more than 40 characters is shortened, and shorter ones too where the width requires it. On a terminal
 * that is too narrow for columns, each cell has its own line.
 * @param rows - rows with the same number of cells each
 * @param terminal - terminal to print to
 * @param options - titles
 */
export function printRows(
  rows: readonly (readonly string[])[],
  terminal: Terminal,
  { titles }: RowOptions = {},
): void {
  const width = widthOf(terminal);
  const shown = rows.map((row) =>
    row.map((cell, column) =>
      column === row.length - 1 ? visible(cell) : cut(visible(cell), LONGEST_CELL),
    ),
  );
  const all = titles === undefined ? shown : [titles, ...shown];
  const widths = columnWidths(all, width);
  if (widths === undefined) {
    for (const row of shown) printRecord(row, titles, width, terminal);
    return;
  }
  for (const row of all) printRow(row, widths, width, terminal);
}

/**
 * Returns the width of the output in characters.
 * @param terminal - terminal; 80 when its width is unknown
 */
export function widthOf(terminal: Pick<Terminal, "size">): number {
  return terminal.size?.().columns ?? USUAL_WIDTH;
}

/**
 * Breaks text at spaces into lines; a word that is longer than a line has a line to itself.
 * @param text - text without line breaks
 * @param width - maximum length of a line in characters
 */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Returns undefined when the columns do not fit. */
function columnWidths(
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] | undefined {
  const last = (rows[0]?.length ?? 1) - 1;
  const lengths = (column: number) => rows.map((row) => row[column]?.length ?? 0);
  const widths = Array.from({ length: last }, (_, column) => Math.max(0, ...lengths(column)));
  const words = rows.flatMap((row) => (row[last] ?? "").split(" "));
  const longestWord = Math.max(0, ...words.map(({ length }) => length));
  for (;;) {
    const used = widths.reduce((sum, each) => sum + each + GAP, 0);
    if (used + longestWord <= width) return widths;
    const widest = Math.max(0, ...widths);
    if (widest <= SHORTEST_CUT) return undefined;
    widths[widths.indexOf(widest)] = Math.max(SHORTEST_CUT, widest - (used + longestWord - width));
  }
}

function printRow(
  row: readonly string[],
  widths: readonly number[],
  width: number,
  { print }: Terminal,
): void {
  const cells = widths.map((each, column) => cut(row[column] ?? "", each).padEnd(each + GAP));
  const start = cells.join("");
  const [first = "", ...more] = wrapped(row.at(-1) ?? "", Math.max(1, width - start.length));
  print((start + first).trimEnd());
  for (const line of more) print((" ".repeat(start.length) + line).trimEnd());
}

function printRecord(
  row: readonly string[],
  titles: readonly string[] | undefined,
  width: number,
  { print }: Terminal,
): void {
  const titleWidth = Math.max(0, ...(titles ?? []).map(({ length }) => length));
  for (const [index, cell] of row.entries()) {
    if (cell.trim() === "") continue;
    const title = titles?.[index]?.padEnd(titleWidth + GAP);
    const indent = title ?? (index === 0 ? "" : " ".repeat(GAP));
    const [first = "", ...more] = wrapped(cell.trim(), Math.max(1, width - indent.length));
    print(indent + first);
    for (const line of more) print(" ".repeat(indent.length) + line);
  }
  if (titles !== undefined) print("");
}

/**
 * Formats a time for lists in the local time zone, for example `2026-01-31 12:00:07`.
 * @param time - milliseconds since the epoch
 */
export function timeOf(time: number): string {
  const at = new Date(time);
  const two = (part: number) => String(part).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function cut(cell: string, width: number): string {
  return cell.length > width ? `${startOfText(cell, width - 1)}…` : cell;
}
