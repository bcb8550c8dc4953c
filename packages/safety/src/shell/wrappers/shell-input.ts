import { isShell, programName } from "../grammar/names.js";
import { scanOptions } from "./options.js";
import { SHELL } from "./shell-options.js";

/**
 * Returns whether a program is a shell that reads its commands from standard input: its words
 * contain neither code nor a script, or the option `-s`.
 * @param program - program word
 * @param words - words after the program
 */
export function readsCommands(
  program: string | undefined,
  words: readonly (string | undefined)[],
): boolean {
  if (!isShell(programName(program))) return false;
  const { given, end } = scanOptions(words, SHELL);
  const names = new Set(given.map(({ name }) => name));
  return names.has("s") || (!names.has("c") && end >= words.length);
}
