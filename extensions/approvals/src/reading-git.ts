import type { Words } from "./parsed-arguments.js";
import { isPrivate } from "./private-file.js";
import { type Folders, isInBareRepository, type Workspace } from "./workspace.js";

/** Options before the subcommand that change nothing of what it does. */
const GLOBAL_OPTION = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/;
/** They read whatever words they get, but for the options below. */
const READING = new Set(
  "status diff log show blame annotate describe ls-files ls-tree rev-parse rev-list shortlog cat-file merge-base diff-tree diff-index name-rev for-each-ref show-ref show-branch count-objects cherry grep whatchanged".split(
    " ",
  ),
);
/** They list with these words and change something with others. */
const LISTING: ReadonlyMap<string, RegExp> = new Map([
  [
    "branch",
    /^(?:-[arvqil]+|--(?:all|remotes|verbose|list|show-current|no-color|merged|no-merged|sort=.*|format=.*))$/,
  ],
  ["tag", /^(?:-l|--list|-n\d*|--sort=.*|--format=.*|[^-].*)$/],
  ["remote", /^(?:-v|--verbose)$/],
  ["stash", /^(?:list|show|-p|--stat|stash@\{\d+\})$/],
  ["worktree", /^(?:list|--porcelain)$/],
  ["reflog", /^(?:show|-\d+|[A-Za-z].*)$/],
  ["version", /^--build-options$/],
]);
/** Without them the words would create or change something. */
const LISTING_NEEDS: ReadonlyMap<string, RegExp> = new Map([
  ["tag", /^(?:-l|--list|-n\d*)$/],
  ["stash", /^(?:list|show)$/],
  ["worktree", /^list$/],
]);
const REFLOG_CHANGE = /^(?:expire|delete|exists|drop|write)$/;
/** Options with which a reading subcommand writes, runs something or leaves the repository. */
const DOES_MORE = [
  "output",
  "ext-diff",
  "no-index",
  "open-files-in-pager",
  "textconv",
  "filters",
  "contents",
  "ignore-revs-file",
  "exec",
  "upload-pack",
  "recurse-submodules",
  "git-dir",
  "path-format",
  "parseopt",
  "sq-quote",
];
const PAGER_OF_GREP = /^-(?![SG])[A-Za-z]*O/;
const FILE_OF_GREP = /^-[A-Za-z]*f/;

/**
 * Why a call of git does more than read the repository of the workspace; undefined when it does not.
 * @param words - behind the program
 * @param workspace - what it may read
 * @param folders - where it may run
 */
export async function judgeGit(
  words: Words,
  workspace: Workspace,
  folders: Folders,
): Promise<string | undefined> {
  if (words.includes(undefined)) return "a word of it is computed when it runs";
  const known = words.flatMap((word) => word ?? []);
  if (known.length === 1 && known[0] === "--version") return undefined;
  const start = known.findIndex((word) => !GLOBAL_OPTION.test(word));
  const [subcommand = "", ...rest] = start === -1 ? [] : known.slice(start);
  if (folders === undefined) return "the folder it would run in is not known";
  for (const folder of folders) {
    if (!workspace.holds(folder)) return `it would run in ${folder}, outside the workspace`;
    if (await isInBareRepository(folder, workspace)) {
      return `${folder} is a repository without .git, whose settings may name programs to run`;
    }
  }
  if (!READING.has(subcommand)) return judgeListing(subcommand, rest);
  const more = rest.find((word) => doesMore(subcommand, word));
  if (more !== undefined) return `with ${more} git ${subcommand} does more than read`;
  for (const word of rest.filter((given) => !given.startsWith("-"))) {
    if (isPrivate(word) || !(await workspace.includes(word, folders))) {
      return `${word} is outside the workspace, or private`;
    }
  }
  return undefined;
}

function judgeListing(subcommand: string, words: readonly string[]): string | undefined {
  const takes = LISTING.get(subcommand);
  const needs = LISTING_NEEDS.get(subcommand);
  const lists =
    takes !== undefined &&
    words.every((word) => takes.test(word)) &&
    (needs === undefined ||
      (words.length === 0 && subcommand === "tag") ||
      words.some((word) => needs.test(word))) &&
    !(subcommand === "reflog" && words.some((word) => REFLOG_CHANGE.test(word)));
  return lists ? undefined : `git ${subcommand} may change something`.trim();
}

function doesMore(subcommand: string, word: string): boolean {
  if (word.startsWith("--")) {
    const [name = ""] = word.slice(2).split("=");
    return name !== "" && DOES_MORE.some((option) => option.startsWith(name));
  }
  return (
    subcommand === "grep" &&
    word.startsWith("-") &&
    (PAGER_OF_GREP.test(word) || FILE_OF_GREP.test(word))
  );
}
