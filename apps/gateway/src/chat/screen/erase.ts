import { type TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";
import type { Screen } from "./screen.js";

/**
 * Returns the sequence that erases the screen of a chat after the size of the terminal has changed, and moves the cursor
 * to its beginning. A terminal moves the lines on it then, and lines from the scrollback to it or back: what is drawn next
 * are the lines that fill the terminal, or all that there are.
 * @param tui - renderer, with what it drew before
 * @param screen - screen in the new size
 */
export function eraseSequence(tui: TuiMainScreen, screen: Screen): string {
  const { previousLines, previousWidth, hardwareCursorRow } = tui.captureRenderState();
  const { columns, rows } = tui.terminal;
  const erase = eraseBelow(rows);
  const isWrapped = columns !== previousWidth;
  if (isWrapped && screen.isLongerThanTerminal) return `\u001b[H${erase}`;
  const rowsOf = (line: string) => Math.max(1, Math.ceil(visibleWidth(line) / columns));
  const up = isWrapped
    ? previousLines.slice(0, hardwareCursorRow).reduce((sum, line) => sum + rowsOf(line), 0)
    : hardwareCursorRow - screen.moved;
  return `\r${up > 0 ? `\u001b[${up}A` : ""}${erase}`;
}

/**
 * Returns the sequence that erases the screen of a chat, and moves the cursor to its beginning, for another program
 * that has the terminal next.
 * @param tui - renderer, with what it drew
 */
export function clearSequence(tui: TuiMainScreen): string {
  const { hardwareCursorRow } = tui.captureRenderState();
  // A terminal stops at its first row.
  const up = hardwareCursorRow > 0 ? `\u001b[${hardwareCursorRow}A` : "";
  return `\r${up}${eraseBelow(tui.terminal.rows)}`;
}

/** Line by line, because some terminals put a screen that is erased at once into the scrollback. */
function eraseBelow(rows: number): string {
  return `\u001b7${"\u001b[2K\u001b[1B".repeat(rows - 1)}\u001b[2K\u001b8`;
}
