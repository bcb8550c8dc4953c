import type { Terminal } from "./terminal.js";

const PROMPT = "-- Enter: next page, q: quit -- ";

/**
 * Prints lines page by page at an interactive terminal, and all at once elsewhere.
 * @param lines - lines without line breaks
 * @param terminal - terminal to print to; its size determines the size of a page
 */
export async function printPaged(lines: readonly string[], terminal: Terminal): Promise<void> {
  const { rows, columns = 80 } = terminal.size?.() ?? {};
  if (!terminal.isInteractive || rows === undefined || rows < 2) {
    for (const line of lines) terminal.print(line);
    return;
  }
  const input = terminal.openInput();
  try {
    let left = rows - 1;
    for (const line of lines.flatMap((whole) => screenLines(whole, columns))) {
      if (left === 0) {
        if ((await input.question(PROMPT)).trim().toLowerCase() === "q") return;
        left = rows - 1;
      }
      terminal.print(line);
      left -= 1;
    }
  } finally {
    input.close();
  }
}

const ESCAPE = "\u001b";

/** Breaks a line as the terminal would; styles, the only escape sequences here, have no width. */
function screenLines(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line];
  const screen: string[] = [];
  let row = "";
  let width = 0;
  let inStyle = false;
  for (const character of line) {
    if (character === ESCAPE) inStyle = true;
    if (!inStyle) {
      if (width === columns) {
        screen.push(row);
        row = "";
        width = 0;
      }
      width += 1;
    }
    row += character;
    if (inStyle && character === "m") inStyle = false;
  }
  return [...screen, row];
}
