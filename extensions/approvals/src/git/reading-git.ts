import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import type { LiteralFile, LiteralProgram, LiteralRepository } from "@openclaw/plugin-sdk/hooks";
import { isPrivate, PRIVATE_FILES, PRIVATE_FOLDERS } from "../private-file.js";
import { readArguments } from "../reading/program-table.js";
import { type Folders, isInside, realPathOf, type Workspace } from "../workspace.js";
import { linksStayInside } from "./links.js";
import { findRepository } from "./repository.js";
import type { GitSubcommand } from "./subcommand.js";
import { GIT_SUBCOMMANDS } from "./subcommands.js";

/** Revision without a path, a pattern or a time in words. */
const REVISION = /^[\w@](?:(?!\.\.)[\w./@{}~^+#-])*$/;
/** Hash of any object, which could be that of a private file. */
const HASH = /^[\da-f]{4,}$/i;
const LEAVES_OUT = "^";
const RANGE = /(\.{2,3})/;
/** Settings that change only how git prints. */
const HARMLESS_SETTING = /^(?:color\.[\w.]+|core\.quotepath|log\.(?:date|decorate))=[\w-]*$/i;
const GLOB = /[*?[\\]/;

/** Patterns with which git skips private files, at any depth and in any letter case. */
const LEFT_OUT: readonly string[] = [
  ...PRIVATE_FILES.flatMap((name) => [name, `${name}/**`]),
  ...PRIVATE_FOLDERS.map((name) => `${name}/**`),
].map((pattern) => `:(top,exclude,icase,glob)**/${pattern}`);
/** Options without which `git log` with patterns would omit commits. */
const EVERY_COMMIT = ["--full-history", "--sparse"];

/** Way in which git runs without approval, or the reason why it needs approval. */
export type ReadingGit =
  | {
      readonly arguments: readonly string[];
      readonly files: readonly LiteralFile[];
      readonly repository: LiteralRepository;
    }
  | { readonly problem: string };

/**
 * Returns the way in which git runs without approval: with a subcommand that only reads, in a
 * repository of the workspace whose settings start no program, and without private files
 * (APPR-037).
 * @param program - git with its words
 * @param workspace - workspace that it may read
 * @param folders - folders in which it may run
 * @param isBounded - true when links cannot lead out of the workspace
 */
export async function readingGit(
  { arguments: words }: LiteralProgram,
  workspace: Workspace,
  folders: Folders,
  isBounded = false,
): Promise<ReadingGit> {
  const [start, ...more] = folders ?? [];
  if (start === undefined || more.length > 0) {
    return { problem: "the folder in which git runs is not known" };
  }
  const entered = await readGlobalOptions(words, start, workspace);
  if ("problem" in entered) return entered;
  const { options, folder, name, rest, files } = entered;
  const subcommand = GIT_SUBCOMMANDS.get(name);
  if (subcommand === undefined) {
    return {
      problem: name === "" ? "git has no subcommand" : `git ${name} is not a read-only subcommand`,
    };
  }
  const found = await findRepository(folder, workspace);
  if ("problem" in found) return found;
  const { workTree, folder: repository } = found.repository;
  const read = await readSubcommand(name, subcommand, rest, {
    workspace,
    folder,
    workTree,
    repository,
    isBounded,
  });
  if ("problem" in read) return read;
  return {
    arguments: ["--no-pager", ...options, name, ...read.arguments],
    files: [...files, ...read.files],
    repository: found.repository,
  };
}

interface Place {
  readonly workspace: Workspace;
  readonly folder: string;
  readonly workTree: string;
  readonly repository: string;
  /** True when links cannot lead out of the workspace. */
  readonly isBounded: boolean;
}

interface GlobalOptions {
  readonly options: readonly string[];
  readonly folder: string;
  readonly name: string;
  readonly rest: readonly string[];
  readonly files: readonly LiteralFile[];
}

/** Reads `--no-pager` and `-C` with a folder; nothing else may precede the subcommand. */
async function readGlobalOptions(
  words: readonly string[],
  start: string,
  workspace: Workspace,
): Promise<GlobalOptions | { readonly problem: string }> {
  const files: LiteralFile[] = [];
  let folder = start;
  let at = 0;
  for (; words[at]?.startsWith("-") === true; at += 1) {
    const word = words[at];
    if (word === "--no-pager" || word === "-P") continue;
    if (word === "-c" && HARMLESS_SETTING.test(words[at + 1] ?? "")) {
      at += 1;
      continue;
    }
    const target = words[at + 1];
    if (word !== "-C" || target === undefined || files.length > 0) {
      return { problem: `git ${word} is not an allowed option` };
    }
    at += 1;
    folder = resolve(start, target);
    if ((await realPathOf(folder)) !== folder || !workspace.holds(folder)) {
      return { problem: `${target} is a link or outside the workspace` };
    }
    files.push({ path: target, realPaths: [folder] });
  }
  return {
    options: words.slice(0, at),
    folder,
    name: words[at] ?? "",
    rest: words.slice(at + 1),
    files,
  };
}

/** Words after the subcommand as they run, or the reason why they need approval. */
type ReadWords =
  | { readonly arguments: readonly string[]; readonly files: readonly LiteralFile[] }
  | { readonly problem: string };

async function readSubcommand(
  name: string,
  subcommand: GitSubcommand,
  words: readonly string[],
  place: Place,
): Promise<ReadWords> {
  const { table, forced = [], needs } = subcommand;
  const end = words.indexOf("--");
  const read = readArguments(table, end === -1 ? words : words.slice(0, end));
  if ("unknown" in read) return unlisted(name, read.unknown);
  const { options, optionWords, text, operands } = read;
  if (subcommand.words !== undefined) {
    const isAllowed = operands.length === 0 || hasOne(options, subcommand.wordsNeed);
    if (end !== -1 || !isAllowed || !subcommand.words.test(operands.join(" "))) {
      return unlisted(name, operands[0] ?? "--");
    }
    return { arguments: words, files: [] };
  }
  const split = await splitOperands(
    operands,
    end === -1 ? [] : words.slice(end + 1),
    subcommand,
    place,
  );
  if ("unknown" in split) return unlisted(name, split.unknown);
  const { revisions, paths } = split;
  if (
    needs !== undefined &&
    !place.isBounded &&
    revisions.length === 0 &&
    !hasOne(options, needs) &&
    !(await linksStayInside(place.workTree, place.repository, place.workspace))
  ) {
    return {
      problem: `git ${name} without ${needs.join(" or ")} follows links that lead out of the workspace`,
    };
  }
  const objects = revisions.filter((revision) => revision.includes(":"));
  if (objects.length > 0) {
    if (objects.length < revisions.length || paths.length > 0)
      return unlisted(name, objects[0] ?? "");
    return { arguments: [...optionWords, ...forced, ...objects.map(asObject)], files: [] };
  }
  for (const path of paths) {
    const problem = problemOfPath(path, place);
    if (problem !== undefined) return { problem };
  }
  // Without a revision, the head could be an object other than a commit.
  const isContent = subcommand.contentWith?.some((one) => options.includes(one)) === true;
  const unnamed = isContent ? revisions.find((revision) => HASH.test(revision)) : undefined;
  if (unnamed !== undefined) return unlisted(name, unnamed);
  const isFromHead = subcommand.objects === true && subcommand.paths !== "none";
  const given = isFromHead && revisions.length === 0 ? ["HEAD"] : revisions;
  const commits = subcommand.onlyCommits === true || isContent ? given.map(asCommits) : given;
  const start = [...optionWords, ...forced, ...text, ...commits];
  if (subcommand.paths === "none") return { arguments: start, files: [] };
  if (subcommand.paths === "file") return await withFile(name, start, paths, place);
  const leavesOut =
    subcommand.leavesOut === "always" ||
    subcommand.leavesOut?.some((option) => options.some((given) => showsContent(given, option))) ===
      true;
  if (!leavesOut) return { arguments: [...start, "--", ...paths], files: [] };
  // `--follow` accepts one path and no patterns.
  if (options.includes("--follow")) return unlisted(name, "--follow with content");
  const history = name === "log" && paths.length === 0 ? EVERY_COMMIT : [];
  return {
    arguments: [
      ...optionWords,
      ...forced,
      ...history,
      ...text,
      ...commits,
      "--",
      ...paths,
      ...LEFT_OUT,
    ],
    files: [],
  };
}

async function withFile(
  name: string,
  words: readonly string[],
  paths: readonly string[],
  { workspace, folder }: Place,
): Promise<ReadWords> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0) return unlisted(name, more[0] ?? "a missing file");
  if (GLOB.test(path) || !(await workspace.mayBeRead(path, [folder]))) {
    return { problem: `${path} is outside the workspace, private, or not known` };
  }
  const realPaths = (await workspace.locate(path, [folder])) ?? [];
  // The path is relative to the folder of `-C`.
  const file = { path: resolve(folder, path), realPaths };
  return { arguments: [...words, "--", path], files: [file] };
}

/**
 * Separates revisions and paths as git does: paths follow revisions, and a word that names a file
 * is a path. A word that could be both is treated as the path; git itself would reject it.
 */
async function splitOperands(
  operands: readonly string[],
  behindDashes: readonly string[],
  { revisions: most, paths: role, objects }: GitSubcommand,
  { folder }: Place,
): Promise<
  | { readonly revisions: readonly string[]; readonly paths: readonly string[] }
  | { readonly unknown: string }
> {
  const revisions: string[] = [];
  const paths: string[] = [];
  for (const operand of operands) {
    const isPath =
      role !== "none" &&
      (most === 0 || GLOB.test(operand) || (await isThere(resolve(folder, operand))));
    if (isPath) paths.push(operand);
    else if (paths.length > 0) return { unknown: operand };
    else if (isRevision(operand) || (objects === true && isObject(operand))) {
      revisions.push(operand);
    } else return { unknown: operand };
  }
  const beyond = revisions[most] ?? (role === "none" ? behindDashes[0] : undefined);
  if (beyond !== undefined) return { unknown: beyond };
  return { revisions, paths: [...paths, ...behindDashes] };
}

function isRevision(word: string): boolean {
  // Commits that are left out.
  if (word.startsWith(LEAVES_OUT)) return REVISION.test(word.slice(LEAVES_OUT.length));
  const parts = word.split(RANGE);
  return (
    parts.length <= 3 &&
    parts.some((part, index) => index % 2 === 0 && part !== "") &&
    parts.every((part, index) => index % 2 === 1 || part === "" || REVISION.test(part))
  );
}

/** Returns whether a word is a file or folder of a commit, such as `HEAD:src/a.ts`. */
function isObject(word: string): boolean {
  const colon = word.indexOf(":");
  const isComplete = colon > 0 && colon < word.length - 1;
  return isComplete && REVISION.test(word.slice(0, colon)) && !isPrivate(word);
}

function asCommits(revision: string): string {
  const parts = revision.split(RANGE);
  return parts
    .map((part, index) => (index % 2 === 1 || part === "" ? part : `${part}^{commit}`))
    .join("");
}

/**
 * Restricts a file or folder to that of a commit; for a tree named by its hash, the path would not
 * show the folder.
 */
function asObject(object: string): string {
  const colon = object.indexOf(":");
  return `${asCommits(object.slice(0, colon))}${object.slice(colon)}`;
}

/** Returns true when an option is given, also with its value attached, as in `-U5`. */
function showsContent(given: string, option: string): boolean {
  return option.startsWith("--") ? given === option : given.startsWith(option);
}

function problemOfPath(path: string, { folder, workTree }: Place): string | undefined {
  const isListed =
    path !== "" &&
    !/^[:-]|\0/.test(path) &&
    !isPrivate(path) &&
    isInside(resolve(folder, path), workTree);
  return isListed ? undefined : `${path} is outside the repository, private, or not known`;
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

function hasOne(options: readonly string[], of: readonly string[] | undefined): boolean {
  return of === undefined || of.some((option) => options.includes(option));
}

function unlisted(name: string, word: string): { readonly problem: string } {
  return {
    problem: `the table of git ${name} does not cover ${word === "" ? "an empty word" : word}`,
  };
}
