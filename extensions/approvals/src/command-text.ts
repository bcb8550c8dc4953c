import type { LiteralProgram, SimpleCommand } from "@openclaw/plugin-sdk/hooks";

const PLAIN = /^[\w@%+=:,./^~*?[\]{}!-]+$/;
const COMPUTED = "…";

/**
 * Returns a command in one line for display, as it was parsed, followed by its wrappers.
 * @param command - command to show
 */
export function commandText({
  program,
  arguments: words,
  assignments,
  wrappers,
}: SimpleCommand): string {
  const set = assignments.map(({ name, value }) => `${name}=${quoted(value)}`);
  const named = program === "" ? [] : [quoted(program)];
  const text = [...set, ...named, ...words.map(quoted)].join(" ");
  return wrappers.length === 0 ? text : `${text} (inside ${wrappers.join(" > ")})`;
}

/**
 * Returns a program with literal words in one line for display.
 * @param program - program to show
 */
export function literalText({ program, arguments: words }: LiteralProgram): string {
  return [program, ...words].map(quoted).join(" ");
}

function quoted(word: string | undefined): string {
  if (word === undefined) return COMPUTED;
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
