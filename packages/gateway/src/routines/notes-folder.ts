import { realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Moves a folder of a workspace to another name in the same folder, for the notes of a routine (JOB-032). A folder that
 * leads out of the workspace by a link stays where it is.
 * @param workspace - workspace of the agent
 * @param from - relative path of the folder
 * @param to - its new relative path
 * @returns `taken` when a folder with files has the new path
 */
export async function moveNotes(
  workspace: string,
  from: string,
  to: string,
): Promise<"moved" | "none" | "taken"> {
  const root = await realpath(workspace).catch(() => undefined);
  if (root === undefined) return "none";
  const parent = join(root, dirname(from));
  if ((await realpath(parent).catch(() => undefined)) !== parent) return "none";
  try {
    await rename(join(parent, basename(from)), join(parent, basename(to)));
    return "moved";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "none";
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "EPERM" || code === "ENOTDIR")
      return "taken";
    throw error;
  }
}
