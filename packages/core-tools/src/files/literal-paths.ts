import { readdir } from "node:fs/promises";
import { ToolRefusalError } from "../errors.js";
import { systemErrorCode } from "../system-error.js";
import type { WorkspacePaths } from "./workspace-paths.js";

const WORD_BREAKS = new Set([..." \t\r\n;|&<>(){}`"]);
/** Characters after which a path may begin inside a word: `--file=x`, `host:x`, `if=x`, `@x`, `a,b`. */
const INNER_STARTS = /[=:,@]/;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** The longest path a system takes. */
const MAX_PATH = 4096;

/** A shell command and where it would run. */
export interface CommandScene {
  readonly command: string;
  /** Absolute. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Looks for a word of a shell command that leads into the state folder (D27). Quotes, backslashes,
 * variables of the environment, `~`, links and values behind `=`, `:`, `,`, `@` or an option letter
 * are seen through.
 *
 * Not promised: paths that come about only at run time (globs, brace expansion, substitutions,
 * variables set by the command, `cd`), programs that walk a folder above the state folder, and
 * paths inside scripts the command starts.
 * @param paths - the boundary
 * @param scene - the command and where it would run
 * @returns the word as written in the command, without quotes; undefined when there is none
 */
export async function wordIntoState(
  paths: WorkspacePaths,
  { command, workdir, environment }: CommandScene,
): Promise<string | undefined> {
  const expanded = command.replace(VARIABLE, (spelled, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    if (name === "PWD") return workdir;
    return Object.hasOwn(environment, name) ? (environment[name] ?? "") : spelled;
  });
  const present = new Set((await readdir(workdir)).map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  for (const word of wordsOf(expanded)) {
    for (const candidate of candidatesOf(word)) {
      if (seen.has(candidate)) continue;
      seen.add(candidate);
      if (!mayExist(candidate, present)) continue;
      if (await leadsIntoState(paths, candidate, workdir)) return candidate;
    }
  }
  return undefined;
}

async function leadsIntoState(
  paths: WorkspacePaths,
  candidate: string,
  workdir: string,
): Promise<boolean> {
  try {
    return await paths.leadsIntoState(candidate, workdir);
  } catch (error) {
    // The command cannot follow a path that the system rejects as too long or circular either.
    if (systemErrorCode(error) !== undefined || ToolRefusalError.isInstance(error)) return false;
    throw error;
  }
}

/** Avoids disk access for the many words of a command that are not paths. */
function mayExist(candidate: string, present: ReadonlySet<string>): boolean {
  if (candidate.length > MAX_PATH) return false;
  const first = candidate.split("/", 1)[0] ?? "";
  return (
    first === "" ||
    first.startsWith("~") ||
    first.startsWith(".") ||
    present.has(first.toLowerCase())
  );
}

/** The words of a command with quotes and backslashes taken out. */
function* wordsOf(command: string): Generator<string> {
  let word = "";
  let quote = "";
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? "";
    if (quote === "" && WORD_BREAKS.has(character)) {
      if (word !== "") yield word;
      word = "";
    } else if (character === quote) {
      quote = "";
    } else if (quote === "" && (character === '"' || character === "'")) {
      quote = character;
    } else if (character === "\\" && quote !== "'") {
      at += 1;
      word += command[at] === "\n" ? "" : (command[at] ?? "");
    } else {
      word += character;
    }
  }
  if (word !== "") yield word;
}

function* candidatesOf(word: string): Generator<string> {
  yield word;
  for (let rest = word, at = rest.search(INNER_STARTS); at !== -1; at = rest.search(INNER_STARTS)) {
    rest = rest.slice(at + 1);
    if (rest !== "") yield rest;
  }
  if (!word.startsWith("-")) return;
  // `-I/path`, `-isystem/path`, `-Cfolder`
  const path = word.search(/[/~.]/);
  if (path > 0) yield word.slice(path);
  if (word.length > 2) yield word.slice(2);
}
