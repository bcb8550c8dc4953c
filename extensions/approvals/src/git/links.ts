import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isPrivate } from "../private-file.js";
import type { Workspace } from "../workspace.js";

/** Maximum number of files of a working tree that are looked at. */
const MOST_FILES = 20_000;
const MOST_INDEX_BYTES = 32 * 1024 * 1024;
const DEPENDENCIES = "node_modules";

/**
 * Returns whether every link in a working tree leads to a file of the workspace that may be shown. Installed dependencies
 * are not looked at unless git tracks them.
 * @param workTree - real path of the working tree
 * @param repository - real path of its repository
 * @param workspace - workspace that links must not leave
 */
export async function linksStayInside(
  workTree: string,
  repository: string,
  workspace: Workspace,
): Promise<boolean> {
  const index = await indexOf(repository);
  if (index === undefined) return false;
  const skipsDependencies = !index.includes(`${DEPENDENCIES}/`);
  let left = MOST_FILES;
  const folders = [workTree];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    left -= entries?.length ?? 0;
    if (entries === undefined || left < 0) return false;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === ".git" || (entry.name === DEPENDENCIES && skipsDependencies)) continue;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isSymbolicLink()) continue;
      const real = await workspace.realPath(path);
      if (real === undefined || !workspace.holds(real)) return false;
      if (isPrivate(relative(workspace.root, real))) return false;
    }
  }
  return true;
}

/** Returns the list of tracked files; undefined when it is too large. */
async function indexOf(repository: string): Promise<Buffer | undefined> {
  const file = await open(join(repository, "index")).catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    return size > MOST_INDEX_BYTES ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}
