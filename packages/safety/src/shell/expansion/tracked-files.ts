import { type ExpansionFiles, NotExpandable } from "./expanded-command.js";

/** Names that git prints as they are. */
const PLAIN_NAME = /^[ !#-[\]-~]+$/;
/** Words whose meaning depends on more than `*` and `?`. */
const SPECIAL = /^[:-]|[[\\]|^\.{0,2}\/|(?:^|\/)\.\.?(?:\/|$)|\/\/|^$/;

/**
 * Computes what `git ls-files` prints: the tracked files below the folder that match one of its words.
 * @param words - words after `git`
 * @param folder - folder in which it would run
 * @param files - files of the workspace
 * @throws NotExpandable when only git knows it
 */
export async function trackedFiles(
  words: readonly string[],
  folder: string,
  files: ExpansionFiles,
): Promise<string> {
  const [subcommand, ...rest] = words.filter((word) => word !== "--no-pager");
  if (subcommand !== "ls-files") throw new NotExpandable("git");
  const options = rest.slice(0, rest.findLastIndex((word) => word.startsWith("-")) + 1);
  const paths = rest.slice(options.length);
  if (!options.every((word) => /^(?:-z|-c|--cached|--)$/.test(word)) || paths.some(isSpecial)) {
    throw new NotExpandable("git ls-files");
  }
  const tracked = await files.tracked?.(folder);
  // Without a tracked file, or without a repository, a loop would be judged by nothing.
  if (tracked === undefined || tracked.length === 0) throw new NotExpandable("git ls-files");
  const end = options.includes("-z") ? "\0" : "\n";
  if (end === "\n" && !tracked.every((name) => PLAIN_NAME.test(name))) {
    throw new NotExpandable("quoted names");
  }
  const expressions = paths.map(expressionOf);
  const isChosen = (name: string) =>
    expressions.length === 0 || expressions.some((expression) => expression.test(name));
  return tracked
    .filter(isChosen)
    .map((name) => `${name}${end}`)
    .join("");
}

function isSpecial(path: string): boolean {
  return SPECIAL.test(path);
}

/** A plain word names a file or everything in a folder; `*` of a pattern matches slashes, too. */
function expressionOf(path: string): RegExp {
  const isPattern = /[*?]/.test(path);
  if (isPattern && path.endsWith("/")) throw new NotExpandable("a pattern of folders");
  const source = path
    .replace(/\/$/, "")
    .replace(/[.+^$(){}|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const end = isPattern ? "$" : path.endsWith("/") ? "/" : "(?:/|$)";
  return new RegExp(`^${source}${end}`, "s");
}
