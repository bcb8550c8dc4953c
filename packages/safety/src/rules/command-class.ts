/**
 * What a shell command calls for (SAFE-043), weakest first: nothing; a question on each call; the same
 * because it smuggles code or data; refusal before any question.
 */
export type CommandClass = "normal" | "explicit" | "injection" | "blocked";

export const COMMAND_CLASSES: readonly CommandClass[] = [
  "normal",
  "explicit",
  "injection",
  "blocked",
];
