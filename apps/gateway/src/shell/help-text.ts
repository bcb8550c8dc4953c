import type { Command } from "commander";
import { wrapAtWords } from "./word-wrap.js";

/** Width of the descriptions in a table below which they are not wrapped. */
const NARROWEST = 16;
/** Width of a terminal that does not say its own. */
const USUAL_COLUMNS = 80;

/**
 * Wraps the paragraphs of a help at words; its tables are wrapped already, and examples, which are indented, stay as they
 * are.
 * @param text - help as the parser wrote it
 * @param columns - width of the terminal; undefined for one that does not say it
 */
export function wrapHelp(text: string, columns: number | undefined): string {
  const width = columns ?? USUAL_COLUMNS;
  return text
    .split("\n")
    .map((line) => (line.startsWith(" ") ? line : wrapAtWords(line, width)))
    .join("\n");
}

/**
 * Lets the descriptions of a program and its commands be wrapped also in narrow columns.
 * @param program - program without commands
 */
export function wrapDescriptions(program: Command): void {
  program.configureHelp({ minWidthToWrap: NARROWEST });
}
