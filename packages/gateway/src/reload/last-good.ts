import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import {
  type LoadedConfiguration,
  replaceFile,
  withConfigurationLock,
} from "@openclaw/configuration";
import type { StateFolder } from "../state/folder.js";

/** Copy of the configuration with which the gateway last started or reloaded. */
export interface LastGoodConfiguration {
  /** Folder with the copies of all its files. */
  readonly folder: string;
  /** Copy of the main file. */
  readonly file: string;
  /** Time of the copy, in milliseconds since the epoch. */
  readonly savedAt: number;
}

const FOLDER = "last-good-config";
const NOTE = ".openclaw-saved.json";

/**
 * Keeps a copy of the files of a configuration in the state folder, with mode 0600 and references as they are
 * written. A copy of an equal configuration stays.
 * @param state - state folder
 * @param configuration - configuration that is in force; one without a file is not kept
 * @param now - milliseconds since the epoch
 */
export async function keepLastGood(
  { dir }: Pick<StateFolder, "dir">,
  { document }: LoadedConfiguration,
  now: number,
): Promise<void> {
  if (document === undefined) return;
  const folder = join(dir, FOLDER);
  if (readNote(folder)?.hash === document.hash) return;
  const [main, ...included] = document.sources;
  if (main === undefined) return;
  const base = dirname(await realpath(main.file).catch(() => main.file));
  const draft = `${folder}.${randomBytes(6).toString("hex")}`;
  const note = { savedAt: now, hash: document.hash, file: main.file };
  const files = [
    { path: basename(main.file), text: main.text },
    ...included.map(({ file, text }) => ({ path: relative(base, file), text })),
    { path: NOTE, text: `${JSON.stringify(note)}\n` },
  ];
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(draft, path), text, { mode: 0o600, flush: true });
    }
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Returns the kept copy of a configuration; undefined when there is none.
 * @param state - state folder
 * @param configurationFile - path of the main file that the copy was made of
 */
export function findLastGood(
  { dir }: Pick<StateFolder, "dir">,
  configurationFile: string,
): LastGoodConfiguration | undefined {
  const folder = join(dir, FOLDER);
  const note = readNote(folder);
  const file = join(folder, basename(configurationFile));
  if (note === undefined || note.file !== configurationFile || !existsSync(file)) return undefined;
  return { folder, file, savedAt: note.savedAt };
}

/**
 * Writes the kept copy back over the files of the configuration; each file that it replaces is kept as
 * `<file>.bak.1`.
 * @param kept - copy that {@link findLastGood} returned
 * @param configurationFile - path of the main file
 * @returns paths of the written files
 */
export async function restoreLastGood(
  { folder }: LastGoodConfiguration,
  configurationFile: string,
): Promise<readonly string[]> {
  const target = await realpath(configurationFile).catch(() => configurationFile);
  return withConfigurationLock(target, async () => {
    const written: string[] = [];
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || entry.name === NOTE) continue;
      const copy = join(entry.parentPath, entry.name);
      const path = relative(folder, copy);
      const file = path === basename(configurationFile) ? target : join(dirname(target), path);
      await replaceFile(file, await readFile(copy, "utf8"));
      written.push(file);
    }
    return written;
  });
}

interface Note {
  readonly savedAt: number;
  readonly hash: string;
  readonly file: string;
}

function readNote(folder: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(join(folder, NOTE), "utf8"));
    return isNote(note) ? note : undefined;
  } catch {
    // Without a readable note there is nothing to offer, and the next good configuration is kept.
    return undefined;
  }
}

function isNote(note: unknown): note is Note {
  if (typeof note !== "object" || note === null) return false;
  return (
    "savedAt" in note &&
    typeof note.savedAt === "number" &&
    "hash" in note &&
    typeof note.hash === "string" &&
    "file" in note &&
    typeof note.file === "string"
  );
}
