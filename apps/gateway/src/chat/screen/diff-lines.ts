import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/**
 * Returns a diff for the screen: coloured, and wrapped with the sign of the line repeated.
 * @param diff - unified diff, or the text of a patch
 * @param width - width in characters
 * @returns rows of each line of the diff
 */
export function diffRows(diff: string, width: number): string[][] {
  return safeText(diff)
    .replace(/\n$/, "")
    .replaceAll("\t", "  ")
    .split("\n")
    .map((line) => {
      const style = styleOf(line);
      const sign = /^[+\- ]/.test(line) && style !== colors.bold ? line.slice(0, 1) : "";
      const rows = wrapTextWithAnsi(line.slice(sign.length), Math.max(1, width - sign.length));
      return (rows.length === 0 ? [""] : rows).map((row) => style(`${sign}${row}`));
    });
}

/**
 * Returns the rows of a diff for the screen.
 * @param diff - unified diff, or the text of a patch
 * @param width - width in characters
 */
export function diffLines(diff: string, width: number): string[] {
  return diffRows(diff, width).flat();
}

function styleOf(line: string): (text: string) => string {
  if (/^(?:\+\+\+|---|\*\*\*) /.test(line)) return colors.bold;
  if (line.startsWith("+")) return colors.green;
  if (line.startsWith("-")) return colors.red;
  if (line.startsWith("@@")) return colors.cyan;
  return (text) => text;
}
