import type { LateWord, LiteralCommand, LiteralPipeline, LiteralProgram } from "@openclaw/safety";
import type { RepositoryViews } from "../repository/view.js";

/**
 * Returns a text that every POSIX shell reads as the given command, for a sandbox that takes a shell's text.
 * @param command - a literal command
 * @param repositories - repositories of its programs
 */
export function shellTextOf({ pipelines }: LiteralCommand, repositories: RepositoryViews): string {
  const kept = new Map<number, string[]>();
  const texts = pipelines.map((pipeline, index) => {
    const text = pipelineText(pipeline, repositories, kept);
    return index === 0 ? text : ` ${pipeline.after} ${text}`;
  });
  return texts.join("");
}

/** The output of a pipeline is kept in a variable, whose last character keeps the line ends before it. */
function pipelineText(
  { programs, keepsOutput: slot, readsKept }: LiteralPipeline,
  repositories: RepositoryViews,
  kept: Map<number, string[]>,
): string {
  const all = programs.map((program) => programText(program, repositories, kept));
  const text = [...(readsKept === undefined ? [] : [printed(readsKept, kept)]), ...all].join(" | ");
  if (slot === undefined) return text;
  const names = kept.get(slot) ?? [];
  const name = `kept_${slot}_${names.length}`;
  kept.set(slot, [...names, name]);
  return `${name}="$(${text}; status=$?; printf .; exit $status)"`;
}

function printed(slot: number, kept: ReadonlyMap<number, readonly string[]>): string {
  const names = kept.get(slot) ?? [];
  return `printf %s "${names.map((name) => `\${${name}%.}`).join("")}"`;
}

function programText(
  authorized: LiteralProgram,
  repositories: RepositoryViews,
  kept: ReadonlyMap<number, readonly string[]>,
): string {
  const { program, arguments: words, redirections, late = [] } = authorized;
  const variables = { ...authorized.variables, ...repositories.of(authorized)?.environment };
  const lateWords = new Map(late.map(({ index, parts }) => [index, parts]));
  const text = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`),
    quoted(program),
    ...words.map((word, index) => lateText(lateWords.get(index), kept) ?? quoted(word)),
    ...redirections
      .filter(({ operator }) => operator !== "<<")
      .map(({ descriptor, operator, target }) =>
        operator === ">&"
          ? `${descriptor}>&${target}`
          : `${descriptor}${operator}${quoted(target)}`,
      ),
  ].join(" ");
  const input = redirections.findLast(({ descriptor }) => descriptor === 0);
  return input?.operator === "<<" ? `{ printf %s ${quoted(input.target)} | ${text}; }` : text;
}

function lateText(
  parts: LateWord["parts"] | undefined,
  kept: ReadonlyMap<number, readonly string[]>,
): string | undefined {
  return parts
    ?.map((part) => {
      if (typeof part === "string") return quoted(part);
      return "isExitCode" in part ? "$?" : `"$(${printed(part.slot, kept)})"`;
    })
    .join("");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
