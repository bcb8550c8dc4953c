/** Programs whose words are text to show or to search for, and never commands. */
const TEXT_PROGRAMS = new Set([
  "ack",
  "ag",
  "apropos",
  "cat",
  "echo",
  "egrep",
  "fgrep",
  "figlet",
  "grep",
  "head",
  "help",
  "info",
  "less",
  "man",
  "more",
  "notify-send",
  "printf",
  "rg",
  "say",
  "tail",
  "tldr",
  "type",
  "whatis",
  "whereis",
  "which",
]);

/** Returns whether the words of a program are only text. */
export function isTextProgram(name: string | undefined): boolean {
  return name !== undefined && TEXT_PROGRAMS.has(name);
}
