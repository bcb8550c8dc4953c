/** Programs whose words are text to show or to look for; what reads like a command in them is none. */
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

/** Whether the words of a program are only text. */
export function isTextProgram(name: string | undefined): boolean {
  return name !== undefined && TEXT_PROGRAMS.has(name);
}
