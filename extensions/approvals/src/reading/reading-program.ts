import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { LiteralFile, LiteralProgram, LiteralRepository } from "@openclaw/plugin-sdk/hooks";
import { readingGit } from "../git/reading-git.js";
import { placeholders } from "../late-words.js";
import { isPrivate } from "../private-file.js";
import type { Folders, Workspace } from "../workspace.js";
import {
  type ReadExpression,
  readFind,
  readSed,
  readTar,
  readTest,
  readUnzip,
} from "./expressions.js";
import { readNode } from "./node/code.js";
import { readPerl } from "./perl/code.js";
import { isPrintingPhrase, PHRASED_PROGRAMS } from "./phrases.js";
import { type OperandRole, type ProgramTable, readArguments } from "./program-table.js";
import { PROGRAM_TABLES } from "./programs.js";
import { readPython } from "./python/code.js";
import { readRuby } from "./ruby/code.js";
import { SKIPPED_FOLDERS } from "./search-programs.js";
import { readSqlite } from "./sqlite-query.js";
import { toolchainFile } from "./toolchain-files.js";

/** Programs whose words are an expression, with the role of their paths. */
const EXPRESSIONS: ReadonlyMap<
  string,
  {
    readonly role: OperandRole;
    read(words: readonly string[], input?: string): ReadExpression | Promise<ReadExpression>;
  }
> = new Map([
  ["node", { role: "existing-files", read: readNode }],
  ["perl", { role: "existing-files", read: readPerl }],
  ["python", { role: "existing-files", read: readPython }],
  ["python3", { role: "existing-files", read: readPython }],
  ["ruby", { role: "existing-files", read: readRuby }],
  ["find", { role: "names", read: readFind }],
  ["sed", { role: "files", read: readSed }],
  ["sqlite3", { role: "existing-files", read: readSqlite }],
  ["tar", { role: "files", read: readTar }],
  ["test", { role: "names", read: readTest }],
  ["unzip", { role: "files", read: readUnzip }],
]);

const GIT = "git";
/** Maximum number of entries of folders whose names are looked at. */
const MOST_ENTRIES = 5000;
/** Subcommand that follows links in the working tree. */
const GIT_FOLLOWS_LINKS = "grep";

/** Programs that do much more than the words which only read. */
const PARTLY_LISTED = new Set([
  "node",
  "perl",
  "python",
  "python3",
  "ruby",
  "sqlite3",
  "tar",
  "unzip",
]);

/** Names of the programs whose table contains all that they are usually run for, and `cd`, which the host performs itself. */
export const TABLED_PROGRAMS: readonly string[] = [
  "cd",
  GIT,
  ...[...EXPRESSIONS.keys()].filter((name) => !PARTLY_LISTED.has(name)),
  ...PROGRAM_TABLES.keys(),
].sort();

/** Names of all programs that may run without approval. */
export const LISTED_PROGRAMS: readonly string[] = [
  ...new Set([...TABLED_PROGRAMS, ...PARTLY_LISTED, ...PHRASED_PROGRAMS]),
].sort();

/** Words with which a program only reads the workspace, or the reason why it needs approval. */
export type ReadingArguments =
  | {
      readonly arguments: readonly string[];
      readonly files: readonly LiteralFile[];
      /** Repository of git. */
      readonly repository?: LiteralRepository;
    }
  | { readonly problem: string };

/**
 * Returns the words with which a program runs without approval: its own, and those with which the
 * host makes a recursive reader skip private files (APPR-037).
 * @param name - name of the program
 * @param program - program with its words
 * @param workspace - workspace that it may read
 * @param folders - folders in which it may run
 */
export async function readingArguments(
  name: string,
  program: LiteralProgram,
  workspace: Workspace,
  folders: Folders,
): Promise<ReadingArguments> {
  const { arguments: words } = program;
  if (isPrintingPhrase(name, words)) {
    const chosen = await toolchainFile(name, workspace, folders);
    if (chosen === undefined) return { arguments: words, files: [] };
    return { problem: `${name} may run another version that ${chosen} names` };
  }
  if (name === GIT) return await readingGit(program, workspace, folders);
  const expression = EXPRESSIONS.get(name);
  if (expression !== undefined) {
    const input = program.redirections.findLast(({ operator }) => operator === "<<");
    const read = await expression.read(words, input?.target);
    if ("unknown" in read) return unknown(name, read.unknown);
    const problem = await problemOf(read.paths, expression.role, workspace, folders);
    if (problem !== undefined) return { problem };
    const { names = [] } = read;
    const misnamed = await problemOf(names, "names", workspace, folders);
    if (misnamed !== undefined) return { problem: misnamed };
    const files = await filesOf([...read.paths, ...names], workspace, folders);
    return { arguments: read.words ?? words, files };
  }
  const table = PROGRAM_TABLES.get(name);
  if (table === undefined) return { problem: `no rule allows ${program.program}` };
  return readingByTable(name, table, program, workspace, folders);
}

/**
 * Returns the words with which a program only reads where the read-only sandbox hides everything outside the workspace;
 * undefined when its table needs no such bounds, or does not cover them either.
 * @param name - name of the program
 * @param program - program with its words
 * @param workspace - workspace that it may read
 * @param folders - folders in which it may run
 */
export async function boundedReading(
  name: string,
  program: LiteralProgram,
  workspace: Workspace,
  folders: Folders,
): Promise<Exclude<ReadingArguments, { readonly problem: string }> | undefined> {
  if (name !== GIT || !program.arguments.includes(GIT_FOLLOWS_LINKS)) return undefined;
  const reading = await readingGit(program, workspace, folders, true);
  return "problem" in reading ? undefined : reading;
}

async function readingByTable(
  name: string,
  table: ProgramTable,
  program: LiteralProgram,
  workspace: Workspace,
  folders: Folders,
): Promise<ReadingArguments> {
  const { arguments: words } = program;
  const read = readArguments(table, words);
  if ("unknown" in read) return unknown(name, read.unknown);
  const { options, optionWords, text, operands } = read;
  const late = placeholders(program);
  const computed = text.find((word) => late.has(word));
  if (computed !== undefined) return { problem: `${name} would get output of others as its text` };
  if (table.operands === "text") {
    const wrong = operands.find((operand) => table.form?.test(operand) === false);
    if (wrong !== undefined) return unknown(name, wrong);
    const together = operands.join(" ");
    if (table.together?.test(together) === false) return unknown(name, together);
    return { arguments: words, files: [] };
  }
  const { walks, exclusions = [], walking = [], hidesWords } = table;
  const isWalk = walks === "always" || walks?.some((option) => options.includes(option)) === true;
  const role = isWalk && table.operands === "regular-files" ? "files" : table.operands;
  const problem = await problemOf(operands, role, workspace, folders);
  if (problem !== undefined) return { problem };
  const files = await filesOf(operands, workspace, folders);
  if (!isWalk) return { arguments: words, files };
  const tops = operands.length === 0 ? ["."] : operands;
  for (const top of tops) {
    if (await workspace.holdsState(top, folders))
      return { problem: `${top} contains the state folder` };
    if (await isSkipped(top, workspace, folders))
      return { problem: `${top} is skipped in recursive reads` };
  }
  const isHidden = hidesWords?.some((option) => options.includes(option)) !== false;
  const isClean = !isHidden && !(await holdsSkipped(tops, workspace, folders));
  const added = isClean ? walking : [...walking, ...exclusions];
  const chosen = optionWords.map((word) => table.insteadOf?.[word] ?? word);
  return { arguments: [...chosen, ...added, "--", ...text, ...operands], files };
}

/**
 * Returns whether a named folder is one that recursive readers skip; exclusions apply only to
 * folders below the named one.
 */
async function isSkipped(path: string, workspace: Workspace, folders: Folders): Promise<boolean> {
  const reals = (await workspace.locate(path, folders)) ?? [];
  return reals
    .map((real) => relative(workspace.root, real))
    .some((below) => below.split("/").some((name) => SKIPPED_FOLDERS.includes(name.toLowerCase())));
}

/** Returns whether folders contain something that recursive readers skip, or too much to know. */
async function holdsSkipped(
  tops: readonly string[],
  workspace: Workspace,
  folders: Folders,
): Promise<boolean> {
  const waiting = (await Promise.all(tops.map((top) => workspace.locate(top, folders)))).flatMap(
    (reals) => reals ?? [],
  );
  let left = MOST_ENTRIES;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0) return true;
    for (const entry of entries) {
      const isSkippedFolder = SKIPPED_FOLDERS.includes(entry.name.toLowerCase());
      if (isSkippedFolder || isPrivate(entry.name)) return true;
      if (entry.isDirectory()) waiting.push(join(folder, entry.name));
    }
  }
  return false;
}

/**
 * Returns the current real paths of the files, so that the host notices a change before the program
 * starts.
 */
async function filesOf(
  paths: readonly string[],
  workspace: Workspace,
  folders: Folders,
): Promise<LiteralFile[]> {
  const files: LiteralFile[] = [];
  for (const path of paths) {
    const realPaths = path === "-" ? [] : ((await workspace.locate(path, folders)) ?? []);
    if (realPaths.length > 0) files.push({ path, realPaths });
  }
  return files;
}

async function problemOf(
  paths: readonly string[],
  role: OperandRole,
  workspace: Workspace,
  folders: Folders,
): Promise<string | undefined> {
  for (const path of paths) {
    // Standard input.
    if (path === "-") continue;
    const isFine =
      role === "names"
        ? await workspace.mayBeNamed(path, folders)
        : await workspace.mayBeShown(path, folders);
    if (!isFine) return `${path} is outside the workspace, private, or not known`;
    if (role === "names") continue;
    const kind = await kindOf(path, workspace, folders);
    if (kind === "endless") return `${path} is a pipe or a device, which may never end`;
    if (role === "regular-files" && kind === "folder") return `${path} is a folder`;
    if (role === "existing-files" && kind !== "file") return `${path} is not a file`;
  }
  return undefined;
}

async function kindOf(
  path: string,
  workspace: Workspace,
  folders: Folders,
): Promise<"endless" | "folder" | "file" | "none"> {
  const reals = (await workspace.locate(path, folders)) ?? [];
  const found = await Promise.all(reals.map((real) => stat(real).catch(() => undefined)));
  const known = found.filter((stats) => stats !== undefined);
  if (known.some((stats) => !stats.isFile() && !stats.isDirectory())) return "endless";
  if (known.some((stats) => stats.isDirectory())) return "folder";
  return known.length === reals.length ? "file" : "none";
}

function unknown(name: string, word: string): { readonly problem: string } {
  return { problem: `the table of ${name} does not cover ${word === "" ? "an empty word" : word}` };
}
