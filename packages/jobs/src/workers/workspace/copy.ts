import { constants } from "node:fs";
import { copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sensitivePath } from "@openclaw/safety";
import { readTree } from "./tree.js";

/** Folders of the worker of one job. */
export interface WorkerFolders {
  /** All of it. */
  readonly folder: string;
  /** Files as they were when the job began; the worker does not see it. */
  readonly base: string;
  /** Files that the worker reads and changes. */
  readonly workspace: string;
}

/**
 * Returns the folders of the worker of a job.
 * @param root - folder of workers in the state folder
 */
export function workerFolders(root: string, jobId: string): WorkerFolders {
  const folder = join(root, "jobs", jobId);
  return { folder, base: join(folder, "base"), workspace: join(folder, "workspace") };
}

/**
 * Copies the workspace for the worker of a job, once: a later run continues with the files of the earlier one. Private
 * files, the state folder, and the folders of git are left out.
 * @param source - workspace of the job
 * @throws WorkerWorkspaceError for a workspace that is too large
 */
export async function copyWorkspace(
  folders: WorkerFolders,
  source: string,
  stateDir: string,
): Promise<void> {
  if (await isFolder(folders.workspace)) return;
  await mkdir(folders.folder, { recursive: true, mode: 0o700 });
  const isLeftOut = (path: string) => path === stateDir || sensitivePath(path) !== undefined;
  const files = (await isFolder(source)) ? await readTree(source, isLeftOut) : new Map();
  // Each becomes whole or not at all, whenever the process is killed.
  await copyTree(source, files.keys(), folders.base);
  await copyTree(folders.base, files.keys(), folders.workspace);
}

async function copyTree(from: string, paths: Iterable<string>, to: string): Promise<void> {
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  for (const path of paths) {
    const target = join(unfinished, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
  }
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
