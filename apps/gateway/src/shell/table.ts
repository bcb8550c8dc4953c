import { visible } from "@openclaw/messaging";
import type { Terminal } from "./terminal.js";

const LONGEST_CELL = 40;

/**
 * Prints rows in columns that fit their content; a cell of more than 40 characters is shortened, except in
 * the last column.
 * @param rows - rows with the same number of cells each
 * @param terminal - terminal to print to
 */
export function printRows(rows: readonly (readonly string[])[], { print }: Terminal): void {
  const shown = rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? visible(cell) : cut(visible(cell)))),
  );
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of shown) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
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

function cut(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL - 1)}…` : cell;
}
