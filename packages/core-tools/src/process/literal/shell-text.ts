import type { LiteralCommand, LiteralProgram } from "@openclaw/safety";
import type { RepositoryViews } from "../repository/view.js";

/**
 * Returns a text that every POSIX shell reads as the given command, for a sandbox that takes a shell's text.
 * @param command - a literal command
 * @param repositories - repositories of its programs
 */
export function shellTextOf({ pipelines }: LiteralCommand, repositories: RepositoryViews): string {
  const texts = pipelines.map(({ after, programs }, index) => {
    const text = programs.map((program) => programText(program, repositories)).join(" | ");
    return index === 0 ? text : ` ${after} ${text}`;
  });
  return texts.join("");
}

function programText(authorized: LiteralProgram, repositories: RepositoryViews): string {
  const { program, arguments: words, redirections } = authorized;
  const variables = Object.entries(repositories.of(authorized)?.environment ?? {});
  return [
    ...variables.map(([name, value]) => `${name}=${quoted(value)}`),
    ...[program, ...words].map(quoted),
    ...redirections.map(({ descriptor, operator, target }) =>
      operator === ">&" ? `${descriptor}>&${target}` : `${descriptor}${operator}${quoted(target)}`,
    ),
  ].join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
