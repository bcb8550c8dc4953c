import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { readWorkspaceFile } from "../workspaces/instructions.js";

/**
 * Reads the beginning of a text file of a workspace for the run of a routine (JOB-027).
 * @param folder - workspace of the agent
 * @param path - relative path
 * @param most - maximum number of bytes
 * @returns undefined for a file that does not exist, cannot be read, or leads out of the workspace
 */
export async function readContextFile(
  folder: string,
  path: string,
  most: number,
): Promise<string | undefined> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return undefined;
  return (await readWorkspaceFile(join(root, path), root, most))?.text;
}
