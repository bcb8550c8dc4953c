import { randomUUID } from "node:crypto";
import { lstat, rename, rmdir, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isMountError } from "@openclaw/foundation/file-replacement";
import { ToolRefusalError } from "../errors.js";
import { PinnedDirectory } from "./pinned-directory.js";
import { changedMeanwhile, type FileVersion, replaceWorkspaceFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/** One file to be written or removed. */
export type WorkspaceChange =
  | {
      readonly kind: "write";
      /** As the caller wrote it. */
      readonly path: string;
      readonly content: string;
      /** Current content and version of the file; undefined when the file must not exist. */
      readonly replaces: { readonly content: string; readonly version: FileVersion } | undefined;
      /** Permission bits of a new file. */
      readonly mode?: bigint | undefined;
    }
  | { readonly kind: "remove"; readonly path: string; readonly version: FileVersion };

/** Reverts a change, or cleans up after all changes have succeeded. */
interface Done {
  undo(): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Changes several files, or none: when one change fails, the earlier ones are reverted, including created
 * folders. A crash of the process in between is not covered.
 * @param paths - the boundary
 * @param changes - at most one for each file
 * @throws what the failing change threw, for example a ToolRefusalError when a file has changed meanwhile
 */
export async function applyWorkspaceChanges(
  paths: WorkspacePaths,
  changes: readonly WorkspaceChange[],
): Promise<void> {
  const done: Done[] = [];
  try {
    for (const change of changes) {
      done.push(change.kind === "write" ? await write(paths, change) : await remove(paths, change));
    }
  } catch (error) {
    for (const { undo } of done.reverse()) await undo();
    throw error;
  }
  for (const { finish } of done) await finish();
}

async function write(
  paths: WorkspacePaths,
  { path, content, replaces, mode }: Extract<WorkspaceChange, { kind: "write" }>,
): Promise<Done> {
  const { realPath, madeFolder } = await replaceWorkspaceFile(paths, path, content, {
    expected: replaces?.version ?? "absent",
    mode,
  });
  return {
    async undo() {
      if (replaces !== undefined) {
        await replaceWorkspaceFile(paths, path, replaces.content);
        return;
      }
      await unlink(realPath);
      if (madeFolder !== undefined) await removeEmptyFolders(dirname(realPath), madeFolder);
    },
    finish: async () => undefined,
  };
}

/** Sets the file aside first, so that it can be put back as it was, then removes it. */
async function remove(
  paths: WorkspacePaths,
  { path, version }: Extract<WorkspaceChange, { kind: "remove" }>,
): Promise<Done> {
  const realPath = await paths.resolve(path);
  const folder = await PinnedDirectory.open(dirname(realPath));
  if (folder === undefined) throw changedMeanwhile(path);
  const target = folder.path(basename(realPath));
  const aside = folder.path(`.openclaw-${randomUUID()}.tmp`);
  try {
    const found = await lstat(target, { bigint: true });
    if (found.ino !== version.ino || found.mtimeNs !== version.mtimeNs)
      throw changedMeanwhile(path);
    await rename(target, aside);
  } catch (error) {
    await folder.close();
    throw isMountError(error) ? mountedAlone(path, error) : error;
  }
  return {
    async undo() {
      await rename(aside, target);
      await folder.close();
    },
    async finish() {
      await unlink(aside);
      await folder.close();
    },
  };
}

/** Emptying it instead would report a removal that did not happen: the next command finds the file again. */
function mountedAlone(path: string, cause: unknown): ToolRefusalError {
  return new ToolRefusalError(
    "system",
    `"${path}" is mounted on its own and cannot be removed or moved; nothing was changed. Change its content instead, or ask the operator to mount its folder.`,
    { cause },
  );
}

async function removeEmptyFolders(from: string, last: string): Promise<void> {
  for (let folder = from; folder.startsWith(last); folder = dirname(folder)) {
    // The folder may contain other files by now; then it is kept.
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
