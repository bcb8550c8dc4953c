/** Programs that read shell code. */
const SHELLS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "ash",
  "fish",
  "yash",
  "rbash",
  "csh",
  "tcsh",
]);

/** Returns whether a program name is the name of a shell. */
export function isShell(name: string | undefined): boolean {
  return name !== undefined && SHELLS.has(name);
}

/**
 * Returns the name of a program without its folder, in lower case; undefined when it is computed.
 */
export function programName(program: string | undefined): string | undefined {
  return program?.slice(program.lastIndexOf("/") + 1).toLowerCase();
}
