import type {
  KeptFile,
  LateWord,
  LiteralCommand,
  LiteralPipeline,
  LiteralProgram,
} from "@openclaw/safety";
import { ToolRefusalError } from "../../errors.js";
import type { RepositoryViews } from "../repository/view.js";

/** Descriptors of a shell: that of the first file with kept output, and the one that holds the input meanwhile. */
const FIRST_FILE = 3;
const INPUT = 9;

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
  const names = late.flatMap(({ parts }) => parts).some(isNames);
  if (names) throw unsupportedNames();
  const files = late.flatMap(({ parts }) => parts).filter(isFile);
  const variables = { ...authorized.variables, ...repositories.of(authorized)?.environment };
  const lateWords = new Map(late.map(({ index, parts }) => [index, parts]));
  const text = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`),
    quoted(program),
    ...words.map((word, index) => lateText(lateWords.get(index), kept, files) ?? quoted(word)),
    ...redirections
      .filter(({ operator }) => operator !== "<<")
      .map(({ descriptor, operator, target }) =>
        operator === ">&"
          ? `${descriptor}>&${target}`
          : `${descriptor}${operator}${quoted(target)}`,
      ),
  ].join(" ");
  const input = redirections.findLast(({ descriptor }) => descriptor === 0);
  const started = withFiles(text, files, kept);
  return input?.operator === "<<" ? `{ printf %s ${quoted(input.target)} | ${started}; }` : started;
}

/** Gives a program files with kept output, each through a separate descriptor; its input stays as it is. */
function withFiles(
  text: string,
  files: readonly KeptFile[],
  kept: ReadonlyMap<number, readonly string[]>,
): string {
  if (files.length === 0) return text;
  const last = files.length - 1;
  const opened = files.reduceRight((inner, { slot }, index) => {
    const given = `${FIRST_FILE + index}<&0`;
    // Before the program, whose own redirections may change its input.
    const reader = index === last ? `${given} 0<&${INPUT} ${inner}` : `${inner} ${given}`;
    return `{ ${printed(slot, kept)} | ${reader}; }`;
  }, text);
  return `{ ${opened}; } ${INPUT}<&0`;
}

function lateText(
  parts: LateWord["parts"] | undefined,
  kept: ReadonlyMap<number, readonly string[]>,
  files: readonly KeptFile[],
): string | undefined {
  return parts
    ?.map((part) => {
      if (typeof part === "string") return quoted(part);
      if ("isNames" in part) throw unsupportedNames();
      if ("isFile" in part) return `/dev/fd/${FIRST_FILE + files.indexOf(part)}`;
      return "isExitCode" in part ? "$?" : `"$(${printed(part.slot, kept)})"`;
    })
    .join("");
}

function isFile(part: LateWord["parts"][number]): part is KeptFile {
  return typeof part === "object" && "isFile" in part;
}

function isNames(part: LateWord["parts"][number]): boolean {
  return typeof part === "object" && "isNames" in part;
}

function unsupportedNames(): ToolRefusalError {
  return new ToolRefusalError(
    "refused",
    "The command was not run: the sandbox cannot check the names that xargs would pass on. Name the files in the command.",
  );
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
