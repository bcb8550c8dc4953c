import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "../command-place.js";
import { nameOf } from "../destructive-rule.js";
import { isPrivate } from "../private-file.js";
import { reachOf } from "../redirection.js";
import { type Folders, isInside } from "../workspace.js";
import { isReader, isRunner } from "./readers.js";

/** Paths outside the workspace that the read-only sandbox shows. */
const VISIBLE =
  /^\/(?:(?:usr|bin|sbin|lib(?:32|64|x32)?|opt|nix|proc)(?:\/|$)|dev\/(?:null|stdin|stdout|stderr|fd)(?:\/|$)|etc\/(?:alternatives|ld\.so\.cache|localtime|timezone|os-release|debian_version|lsb-release|redhat-release|alpine-release|issue|mime\.types|magic)(?:\/|$))/;
/** Programs for which `/` is a folder and not a separator. */
const OPENS_ROOT = new Set("cd dir du egrep fgrep find grep ls pushd rg stat tree vdir".split(" "));
const ROOT = /^\/+$/;
/** First bytes of a program of Linux. */
const BINARY = Buffer.from("\u007fELF", "latin1");

/**
 * Returns whether the read-only sandbox bounds a command that no table covers: each of its programs is meant to read
 * only, and it names nothing that the sandbox hides. What the command does beyond that is prevented by the sandbox, which
 * it needs to run without approval.
 * @param parsed - command of the call
 * @param place - place where it would run
 * @param isGitCovered - true when tables cover each git that the command starts by itself
 */
export async function isContained(
  parsed: ParsedCommand,
  place: CommandPlace,
  isGitCovered: boolean,
): Promise<boolean> {
  const { complete, commands, definitions, features } = parsed;
  if (!complete || definitions.length > 0) return false;
  if (commands.length === 0 && !features.includes("test")) return false;
  for (const [index, command] of commands.entries()) {
    const isGit = nameOf(command.program) === "git";
    if (isGit && isGitCovered && command.wrappers.length === 0) continue;
    if (!(await readsOnly(command, place, place.folders[index]))) return false;
  }
  return true;
}

/**
 * Returns whether one program is meant to read only, and names nothing that the sandbox hides.
 * @param command - program with its words; undefined where a word is computed at run time
 * @param place - place where it would run
 * @param folders - folders in which it may run
 */
async function readsOnly(
  command: SimpleCommand,
  place: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  const {
    program,
    arguments: words,
    background,
    redirections,
    wrappers,
    wrapperCommands,
  } = command;
  if (program === undefined || background) return false;
  if (!wrappers.every((wrapper) => isRunner(nameOf(wrapper)))) return false;
  // An assignment or redirection alone has an empty program.
  const input = redirections.findLast(({ operator }) => operator === "<<")?.target;
  if (program !== "" && !isReader(nameOf(program), words, input)) return false;
  for (const redirection of redirections) {
    const reach = await reachOf(redirection, place.workspace, folders);
    if (reach !== "stream" && reach !== "reads-workspace") return false;
  }
  const all = [...wrapperCommands.flatMap((wrapper) => wrapper.arguments), ...words];
  for (const word of all) {
    if (word !== undefined && (await isHidden(word, nameOf(program), place, folders))) return false;
  }
  return program === "" || (await isShown(program, place));
}

/**
 * Returns whether the sandbox shows everything that a program needs: one of the system, a builtin of the shell, or a
 * single file in a folder of `PATH`. A script there usually starts others that the sandbox hides.
 */
async function isShown(program: string, { search, workspace }: CommandPlace): Promise<boolean> {
  const found = await search.find(program, workspace);
  if (found === undefined) return !program.includes("/");
  const { path, realPath } = found;
  if (VISIBLE.test(realPath)) return true;
  return dirname(path) === dirname(realPath) && (await isBinary(realPath));
}

async function isBinary(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(BINARY.length), 0, BINARY.length, 0);
    return buffer.equals(BINARY);
  } finally {
    await file.close();
  }
}

/** Returns whether a word names a private file, or an existing one that the sandbox does not show. */
async function isHidden(
  word: string,
  name: string,
  { workspace }: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  for (const path of new Set([word, value])) {
    if (isPrivate(path)) return true;
    if (/^~(?:\/|$)/.test(path)) return true;
    if (!path.startsWith("/") && !path.includes("..")) continue;
    if (ROOT.test(path)) {
      if (OPENS_ROOT.has(name)) return true;
      continue;
    }
    if (VISIBLE.test(path) && !path.includes("..")) continue;
    // Where the folder is not known, the path may lead out of the workspace.
    const reals = await workspace.locate(path, folders ?? [workspace.root]);
    if (reals === undefined) return true;
    for (const real of reals) {
      if (isInside(real, workspace.root) || VISIBLE.test(real)) continue;
      const exists = await lstat(real).then(
        () => true,
        () => false,
      );
      if (exists) return true;
    }
  }
  return false;
}
