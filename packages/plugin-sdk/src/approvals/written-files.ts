import { basename, isAbsolute, join } from "node:path";
import type { WrittenPath } from "../hooks/parsed-command.js";

/** Entries of copied folders that are looked at. */
const MOST_ENTRIES = 5000;
// The modules of the SDK import nothing that opens files (SDK-004).
const fileSystem = () => import("node:fs/promises");
const PATTERN = /[*?[]/;
/** Alternatives of extended patterns, which are not expanded. */
const EXTENDED = /[?*+@!]\(/;

/** Files that a command may write. */
export interface WrittenFiles {
  /** Absolute paths; links in them are not resolved. */
  readonly files: readonly string[];
  /** False when the command may write further files, whose names are known only at run time. */
  readonly isComplete: boolean;
}

/**
 * Returns the files that a command may write by one of its paths: patterns are expanded, and a copy into a folder writes
 * the names of its sources, also those inside of folders.
 * @param written - path as the words of the command name it
 * @param folder - absolute folder in which the command runs
 * @param mayExist - true when a folder that does not exist yet may be created before, by another part of the command
 */
export async function writtenFiles(
  written: WrittenPath,
  folder: string,
  mayExist: boolean,
): Promise<WrittenFiles> {
  const { path, sources, below } = written;
  const isFolder = written.isFolder === true;
  if (path === undefined) return { files: [], isComplete: false };
  const targets = await expanded(path, folder);
  if (targets === undefined) return { files: [], isComplete: written.isGuess === true };
  const files: string[] = [];
  let isComplete = true;
  for (const target of targets) {
    const kind = await kindOf(target);
    if (below !== undefined) {
      const names = kind === "folder" ? await entriesBelow(target) : [];
      const matching = segmentExpression(below);
      isComplete &&= names !== undefined;
      const entries = [target, ...(names ?? []).map((name) => join(target, name))];
      files.push(...entries.filter((entry) => matching.test(basename(entry))));
      continue;
    }
    if (sources === undefined) {
      files.push(target);
      if (isFolder && kind === "folder") isComplete = false;
      continue;
    }
    const mayBeFolder = isFolder || kind === "folder" || (kind === "missing" && mayExist);
    if (kind !== "folder" && !isFolder) files.push(target);
    for (const source of sources) {
      const names = source === undefined ? undefined : await namesOf(source, folder);
      if (names === undefined) isComplete &&= !mayBeFolder && source !== undefined;
      else files.push(...names.inside.map((name) => join(target, name)));
      if (names !== undefined && mayBeFolder) {
        files.push(...names.beside.map((name) => join(target, name)));
      }
    }
  }
  return { files, isComplete };
}

interface CopiedNames {
  /** Names relative to the copy of a source. */
  readonly inside: readonly string[];
  /** Names relative to the folder that gets the copy. */
  readonly beside: readonly string[];
}

/** Returns the names that a copy of a source has; undefined when there are too many, or they are not known. */
async function namesOf(source: string, folder: string): Promise<CopiedNames | undefined> {
  const paths = await expanded(source, folder);
  if (paths === undefined) return undefined;
  const inside: string[] = [];
  const beside: string[] = [];
  for (const path of paths) {
    const name = basename(path);
    beside.push(name);
    if ((await kindOf(path)) !== "folder") continue;
    const below = await entriesBelow(path);
    if (below === undefined) return undefined;
    inside.push(...below);
    beside.push(...below.map((entry) => join(name, entry)));
  }
  return { inside, beside };
}

async function entriesBelow(folder: string): Promise<string[] | undefined> {
  const found: string[] = [];
  const left = [""];
  for (let below = left.pop(); below !== undefined; below = left.pop()) {
    const { readdir } = await fileSystem();
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(below, entry.name);
      found.push(path);
      if (found.length > MOST_ENTRIES) return undefined;
      if (entry.isDirectory()) left.push(path);
    }
  }
  return found;
}

/** Returns the absolute paths that a pattern matches, and the pattern itself where it matches none, as a shell does. */
async function expanded(path: string, folder: string): Promise<readonly string[] | undefined> {
  if (EXTENDED.test(path)) return undefined;
  const full = await absolute(path, folder);
  if (!PATTERN.test(path)) return [full];
  let found = [""];
  for (const segment of full.split("/").slice(1)) {
    const next: string[] = [];
    for (const parent of found) {
      if (!PATTERN.test(segment)) next.push(`${parent}/${segment}`);
      else {
        const expression = segmentExpression(segment);
        const { readdir } = await fileSystem();
        const entries = await readdir(parent === "" ? "/" : parent).catch(() => []);
        next.push(
          ...entries.filter((name) => expression.test(name)).map((name) => `${parent}/${name}`),
        );
      }
      if (next.length > MOST_ENTRIES) return undefined;
    }
    found = next;
  }
  return found.length === 0 ? [full] : found;
}

/** Hidden names match too, because settings of the shell decide that. */
function segmentExpression(segment: string): RegExp {
  const source = segment.replace(
    /\[([!^]?)([^\]]*)\]|[\\^$.|+(){}[\]]|\*+|\?/g,
    (token, not?: string, members?: string) => {
      if (members !== undefined)
        return `[${not === "" ? "" : "^"}${members.replace(/[\\[\]^]/g, "\\$&")}]`;
      if (token.startsWith("*")) return ".*";
      return token === "?" ? "." : `\\${token}`;
    },
  );
  try {
    return new RegExp(`^${source}$`, "is");
  } catch {
    // A range that is not valid.
    return /^/;
  }
}

/** `..` is kept, because what it means depends on the links before it. */
async function absolute(path: string, folder: string): Promise<string> {
  const isOfHome = path === "~" || path.startsWith("~/");
  const home = isOfHome ? (await import("node:os")).homedir() + path.slice(1) : path;
  return isAbsolute(home) ? home : `${folder}/${home}`;
}

async function kindOf(path: string): Promise<"folder" | "file" | "missing"> {
  const { stat } = await fileSystem();
  return await stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "missing",
  );
}
