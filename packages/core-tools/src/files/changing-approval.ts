import { dirname, join, sep } from "node:path";
import type { ScopedApproval } from "@openclaw/plugin-sdk/tools";
import { ToolRefusalError } from "../errors.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/**
 * Returns the approval that changing files requires, which a lasting approval gives for the folder of the files and those
 * below it (APPR-021). A path that is closed has no folder, because the tool itself rejects it: a lasting approval covers
 * only calls with such paths, not the whole tool.
 * @param paths - the boundary
 * @param given - returns the paths as the caller wrote them
 */
export async function changingApproval(
  paths: WorkspacePaths,
  given: () => readonly string[],
): Promise<ScopedApproval> {
  try {
    const files = await Promise.all(given().map((path) => paths.resolve(path)));
    const folder = files.map((file) => dirname(file)).reduce(commonFolder);
    const covers = `in ${folder} and the folders below it`;
    return { need: "unless-granted", grantKey: folder, covers, coversBelow: true };
  } catch (error) {
    if (!ToolRefusalError.isInstance(error)) throw error;
    const description = `The tool will reject this call: ${error.message}`;
    const covers = "of paths that the tool rejects";
    return { need: "unless-granted", description, grantKey: "closed", covers };
  }
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (!`${other}${sep}`.startsWith(join(folder, sep))) folder = dirname(folder);
  return folder;
}
