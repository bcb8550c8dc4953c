import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { previewChanges } from "@openclaw/core-tools";
import { sha256 } from "@openclaw/foundation";
import { sensitivePath } from "@openclaw/safety";
import { WorkerWorkspaceError } from "../errors.js";
import type { WorkerFolders } from "./copy.js";
import { digestOf, readTree, type TreeFile } from "./tree.js";

/** Text of the changes that is shown, in bytes; changes beyond are listed. */
const MOST_TEXT = 256 * 1024;
/** Size of a file whose lines are compared. */
const MOST_COMPARED = 512 * 1024;
/** Beginning of a file in which a NUL makes it binary. */
const SAMPLE = 8192;
const SHOWN_PATHS = 10;

/** A file that a worker changed. */
export interface WorkspaceChange {
  /** Relative to the workspace. */
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  /** Size afterwards; 0 for a deleted file. */
  readonly bytes: number;
  /** SHA-256 before; undefined for an added file. */
  readonly before: string | undefined;
  /** SHA-256 afterwards; undefined for a deleted file. */
  readonly after: string | undefined;
  readonly isExecutable: boolean;
  /** True when the file of the workspace changed since the job began. */
  readonly isConflict: boolean;
}

/**
 * Returns what a worker changed, by path. Only regular files count: links, sockets and devices that it made are left out.
 * @param workspace - workspace of the job
 * @throws WorkerWorkspaceError when it made too much to compare
 */
export async function workspaceChanges(
  folders: WorkerFolders,
  workspace: string,
): Promise<readonly WorkspaceChange[]> {
  const [before, after] = await Promise.all([readTree(folders.base), readTree(folders.workspace)]);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes: WorkspaceChange[] = [];
  for (const path of paths) {
    const old = before.get(path);
    const now = after.get(path);
    const digests = {
      before: old && (await digestOf(join(folders.base, path))),
      after: now && (await digestOf(join(folders.workspace, path))),
    };
    const isSame = digests.before === digests.after && old?.isExecutable === now?.isExecutable;
    if (isSame) continue;
    const current = await currentDigest(join(workspace, path));
    changes.push({
      ...{ path, kind: kindOf(old, now), bytes: now?.bytes ?? 0, ...digests },
      isExecutable: now?.isExecutable ?? false,
      isConflict: current !== digests.before && current !== digests.after,
    });
  }
  return changes;
}

/** Returns a digest of changes, by which a person applies what was shown. */
export function changesDigest(changes: readonly WorkspaceChange[]): string {
  return sha256(
    JSON.stringify(
      changes.map(({ path, before, after, isExecutable }) => [path, before, after, isExecutable]),
    ),
  );
}

/** Returns changes as a unified diff. Binary and large files, and what is beyond the bound, are named only. */
export async function changesText(
  folders: WorkerFolders,
  changes: readonly WorkspaceChange[],
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  let text = "";
  let isCut = false;
  for (const change of changes) {
    const shown = await changeText(folders, change);
    if (Buffer.byteLength(text) + Buffer.byteLength(shown) > MOST_TEXT) {
      isCut = true;
      text += `${change.kind} ${change.path} (${change.bytes} bytes, not shown)\n`;
      if (Buffer.byteLength(text) > 2 * MOST_TEXT) break;
    } else text += shown;
  }
  return { text, isCut };
}

/**
 * Applies changes to the workspace of a job: all of them, or none when one has a conflict.
 * @param workspace - workspace of the job
 * @throws WorkerWorkspaceError for conflicts, and for paths that lead out of the workspace or to private files
 */
export async function applyChanges(
  folders: WorkerFolders,
  changes: readonly WorkspaceChange[],
  workspace: string,
): Promise<void> {
  const conflicts = changes.filter(({ isConflict }) => isConflict).map(({ path }) => path);
  if (conflicts.length > 0) {
    const more = conflicts.length > SHOWN_PATHS ? ", …" : "";
    throw new WorkerWorkspaceError(
      `${conflicts.slice(0, SHOWN_PATHS).join(", ")}${more} changed since the job began, so nothing was applied; take over what you need from ${folders.workspace}`,
    );
  }
  await mkdir(workspace, { recursive: true });
  const root = await realpath(workspace);
  for (const { path } of changes) await assertInside(root, path);
  for (const { path, after, isExecutable } of changes) {
    const target = join(root, path);
    const base = join(folders.base, path);
    if (after === undefined) {
      await rm(target, { force: true });
      await rm(base, { force: true });
      continue;
    }
    for (const to of [target, base]) {
      await mkdir(dirname(to), { recursive: true });
      const unfinished = `${to}.openclaw-unfinished`;
      await rm(unfinished, { force: true });
      await copyFile(join(folders.workspace, path), unfinished, constants.COPYFILE_EXCL);
      await chmod(unfinished, isExecutable ? 0o755 : 0o644);
      await rename(unfinished, to);
    }
  }
}

async function changeText(
  folders: WorkerFolders,
  { path, kind, bytes }: WorkspaceChange,
): Promise<string> {
  const [before, after] = await Promise.all(
    [folders.base, folders.workspace].map((folder) => contentOf(join(folder, path))),
  );
  if (before === "unreadable" || after === "unreadable") {
    return `${kind} ${path} (binary or large, ${bytes} bytes)\n`;
  }
  return previewChanges([{ path, before: before?.text, after: after?.text }]);
}

async function contentOf(
  path: string,
): Promise<{ readonly text: string } | "unreadable" | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  if (found.size > MOST_COMPARED) return "unreadable";
  const content = await readFile(path);
  if (content.subarray(0, SAMPLE).includes(0)) return "unreadable";
  return { text: content.toString("utf8") };
}

async function currentDigest(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  // A link or a folder is not what the job saw.
  return found.isFile() ? await digestOf(path) : "not a file";
}

/** A folder of the workspace may be a link to another one. */
async function assertInside(root: string, path: string): Promise<void> {
  const target = join(root, path);
  let parent = dirname(target);
  let real: string | undefined;
  while (real === undefined) {
    real = await realpath(parent).catch(() => undefined);
    if (real === undefined) parent = dirname(parent);
  }
  const isInside = real === root || real.startsWith(root + sep);
  if (isInside && sensitivePath(target) === undefined) return;
  throw new WorkerWorkspaceError(
    `${path} leads out of the workspace or to a private file, so nothing was applied`,
  );
}

function kindOf(old: TreeFile | undefined, now: TreeFile | undefined): WorkspaceChange["kind"] {
  if (old === undefined) return "added";
  return now === undefined ? "deleted" : "modified";
}
