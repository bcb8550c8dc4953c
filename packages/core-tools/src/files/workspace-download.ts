import { ToolRefusalError } from "../errors.js";
import { openWorkspaceFile } from "./workspace-file.js";
import { type WorkspaceFolders, WorkspacePaths } from "./workspace-paths.js";

/** A whole file of a workspace. */
export interface WorkspaceDownload {
  /** Path relative to the workspace. */
  readonly path: string;
  readonly content: Buffer;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/**
 * Reads a whole file within the rules of the file tools: the real path decides.
 * @param folders - the workspace, and the folders that are closed in it
 * @param path - absolute, or relative to the workspace
 * @param maxBytes - maximum size
 * @throws ToolRefusalError when it is outside, missing, closed, not a regular file or too large
 */
export async function readWorkspaceFile(
  folders: WorkspaceFolders,
  path: string,
  maxBytes: number,
): Promise<WorkspaceDownload> {
  const paths = new WorkspacePaths(folders);
  const { handle, realPath, size, version } = await openWorkspaceFile(paths, path);
  try {
    if (size > maxBytes) {
      throw new ToolRefusalError(
        "too-large",
        `"${path}" has ${size} bytes; at most ${maxBytes} can be read. Copy it from the workspace instead.`,
      );
    }
    const content = await handle.readFile();
    const modifiedAt = Number(version.mtimeNs / 1_000_000n);
    return { path: await paths.display(realPath), content, modifiedAt };
  } finally {
    await handle.close();
  }
}
