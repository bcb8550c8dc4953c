import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

/** Largest file that components receive, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a file of a workspace for a component (WASM-024).
 * @param workspace - absolute path of the workspace
 * @param path - relative path that the capabilities allow
 * @returns the text; undefined when there is no such file, it is larger than 1 MiB, or a link leads out of the workspace
 */
export async function readWorkspaceFile(
  workspace: string,
  path: string,
): Promise<string | undefined> {
  try {
    const root = await realpath(workspace);
    const file = await realpath(join(root, path));
    if (!file.startsWith(root + sep)) return undefined;
    await using handle = await open(file);
    const { size } = await handle.stat();
    if (size > MAX_BYTES) return undefined;
    return await handle.readFile("utf8");
  } catch {
    return undefined;
  }
}
