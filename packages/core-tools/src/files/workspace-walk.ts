import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sensitivePath } from "@openclaw/safety";
import { systemErrorCode } from "../system-error.js";
import { PinnedDirectory } from "./pinned-directory.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/** Folders of other people's files: named where folders are listed, but not gone into. */
export const NOT_DESCENDED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** One folder of a walk. It is open during its step of the walk and closed afterwards. */
export interface WalkedFolder {
  readonly folder: PinnedDirectory;
  /** Path of the folder from where the walk began, ending in `/`; empty for the first. */
  readonly prefix: string;
  /** Names of its regular files in a stable order, without those of secrets (SAFE-047). */
  readonly files: readonly string[];
}

/**
 * Walks a folder and its subfolders. Links are not followed, the state folder, `.git` and
 * `node_modules` are left out, and so is every folder that cannot be read.
 * @param paths - the boundary
 * @param top - real path of the folder to begin with
 * @param signal - ends the walk
 * @throws the signal's reason when it aborts
 */
export async function* walkFolders(
  paths: WorkspacePaths,
  top: string,
  signal: AbortSignal,
): AsyncGenerator<WalkedFolder, void, undefined> {
  const isStateFolder = await paths.stateFolderTest();
  const pending = [{ realPath: top, prefix: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal.throwIfAborted();
    const { realPath, prefix } = next;
    const folder = await openReadable(realPath);
    if (folder === undefined) continue;
    try {
      const entries = await entriesOf(folder);
      const isFile = (entry: Dirent) =>
        entry.isFile() && sensitivePath(join(realPath, entry.name)) === undefined;
      yield { folder, prefix, files: entries.filter(isFile).map(({ name }) => name) };
      for (const { name } of entries.filter((entry) => entry.isDirectory()).reverse()) {
        const inner = join(realPath, name);
        if (NOT_DESCENDED.has(name) || (await isStateFolder(inner))) continue;
        pending.push({ realPath: inner, prefix: `${prefix}${name}/` });
      }
    } finally {
      await folder.close();
    }
  }
}

async function openReadable(realPath: string): Promise<PinnedDirectory | undefined> {
  return await PinnedDirectory.open(realPath).catch(unlessUnreadable);
}

async function entriesOf(folder: PinnedDirectory): Promise<Dirent[]> {
  const reading = readdir(folder.path("."), { withFileTypes: true });
  const entries = (await reading.catch(unlessUnreadable)) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function unlessUnreadable(error: unknown): undefined {
  if (systemErrorCode(error) === undefined) throw error;
  return undefined;
}
