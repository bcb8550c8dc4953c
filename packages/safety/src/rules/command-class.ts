/**
 * Consequence of a shell command (SAFE-043), weakest first: nothing; approval of each call; the
 * same because it smuggles code or data; denial without an approval request.
 */
export type CommandClass = "normal" | "explicit" | "injection" | "blocked";

export const COMMAND_CLASSES: readonly CommandClass[] = [
  "normal",
  "explicit",
  "injection",
  "blocked",
];
