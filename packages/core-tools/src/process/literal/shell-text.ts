import type { LiteralCommand, LiteralProgram } from "@openclaw/safety";

/**
 * Returns a text that every POSIX shell reads as the given command, for a sandbox that takes a shell's text.
 * @param command - a literal command
 */
export function shellTextOf({ pipelines }: LiteralCommand): string {
  const texts = pipelines.map(({ after, programs }, index) => {
    const text = programs.map(programText).join(" | ");
    return index === 0 ? text : ` ${after} ${text}`;
  });
  return texts.join("");
}

function programText({ program, arguments: words, redirections }: LiteralProgram): string {
  return [
    ...[program, ...words].map(quoted),
    ...redirections.map(({ descriptor, operator, target }) =>
      operator === ">&" ? `${descriptor}>&${target}` : `${descriptor}${operator}${quoted(target)}`,
    ),
  ].join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
