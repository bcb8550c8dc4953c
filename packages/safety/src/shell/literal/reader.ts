import type {
  LiteralCommand,
  LiteralPipeline,
  LiteralProgram,
  LiteralRedirection,
} from "./literal-command.js";
import { literalTokens } from "./tokens.js";

/** Maximum number of programs of a literal command; one with more needs approval. */
const MOST_PROGRAMS = 64;
/** Program names to which no shell gives another meaning. */
const PROGRAM = /^[A-Za-z0-9_./][\w./+:@,-]*$/;
/** Words that begin or end a construct of the grammar. */
const RESERVED = new Set(
  "if then else elif fi case esac for select while until do done in function time coproc".split(
    " ",
  ),
);
/** Builtins that no file can replace: they change the shell itself or run other words as code. */
export const SHELL_BUILTINS = new Set(
  ". : alias bg bind break builtin caller command compgen complete compopt continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);

interface Draft {
  readonly words: string[];
  readonly redirections: LiteralRedirection[];
}

/**
 * Reads a command that consists of literal words, joined by `|`, `&&`, `||` and `;` (APPR-038).
 * Only the characters, words and constructs listed here are literal.
 * @param source - command as a shell would receive it
 * @returns undefined when a shell is needed to run it
 */
export function readLiteralCommand(source: string): LiteralCommand | undefined {
  const tokens = literalTokens(source.replace(/^[ \t\n]+|[ \t\n]+$/g, ""));
  if (tokens === undefined || tokens.length === 0) return undefined;
  const pipelines: { after: LiteralPipeline["after"]; drafts: Draft[] }[] = [
    { after: ";", drafts: [newDraft()] },
  ];
  for (const [index, token] of tokens.entries()) {
    const pipeline = pipelines.at(-1);
    const draft = pipeline?.drafts.at(-1);
    if (pipeline === undefined || draft === undefined) return undefined;
    if (token.kind === "word") {
      draft.words.push(token.value);
    } else if (token.kind === "redirection") {
      if (draft.words.length === 0) return undefined;
      draft.redirections.push(token.redirection);
    } else if (token.operator === "|") {
      pipeline.drafts.push(newDraft());
    } else if (token.operator !== ";" || index < tokens.length - 1) {
      pipelines.push({ after: token.operator, drafts: [newDraft()] });
    }
  }
  const programs = pipelines.flatMap(({ drafts }) => drafts);
  if (programs.length > MOST_PROGRAMS) return undefined;
  const read: LiteralPipeline[] = [];
  for (const { after, drafts } of pipelines) {
    const stages = drafts.flatMap((draft) => programOf(draft, drafts.length) ?? []);
    if (stages.length < drafts.length) return undefined;
    read.push({ after, programs: stages });
  }
  return { pipelines: read };
}

function newDraft(): Draft {
  return { words: [], redirections: [] };
}

function programOf({ words, redirections }: Draft, stages: number): LiteralProgram | undefined {
  const [program, ...rest] = words;
  if (program === undefined || !PROGRAM.test(program)) return undefined;
  if (RESERVED.has(program) || SHELL_BUILTINS.has(program)) return undefined;
  if (program === "cd" && !isFolderChange(rest, redirections, stages)) return undefined;
  return { program, arguments: rest, redirections };
}

/**
 * Returns whether a `cd` is literal. In a pipe it changes a subshell only, and `-` and a missing
 * word mean folders that no word shows.
 */
function isFolderChange(
  words: readonly string[],
  redirections: readonly LiteralRedirection[],
  stages: number,
): boolean {
  const [folder] = words;
  return (
    stages === 1 &&
    words.length === 1 &&
    redirections.length === 0 &&
    folder !== undefined &&
    folder !== "" &&
    !folder.startsWith("-") &&
    !leavesNamedFolder(folder)
  );
}

/** Returns whether `..` follows a name; its meaning then depends on that name. */
function leavesNamedFolder(folder: string): boolean {
  const segments = folder.split("/").filter((segment) => segment !== "" && segment !== ".");
  const named = segments.findIndex((segment) => segment !== "..");
  return named !== -1 && segments.indexOf("..", named) !== -1;
}
