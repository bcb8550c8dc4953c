import type { ApprovalNeed, ScopedApproval } from "@openclaw/plugin-sdk/tools";
import { ToolRefusalError } from "../errors.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/**
 * Returns the approval that reading a path requires: none inside the workspace, and outside an approval of this
 * path (TURN-060). A path that is closed needs none, because the tool itself rejects it.
 * @param paths - the boundary
 * @param given - the path as the caller wrote it
 * @param verb - verb of the description, in the third person
 */
export async function readingApproval(
  paths: WorkspacePaths,
  given: string,
  verb: "Lists" | "Reads" | "Searches",
): Promise<ApprovalNeed | ScopedApproval> {
  try {
    const { realPath, isOutside } = await paths.resolveApprovable(given);
    if (!isOutside) return "never";
    const description = `${verb} ${realPath}, which is outside the workspace.`;
    return { need: "unless-granted", description, grantKey: realPath, covers: `of ${realPath}` };
  } catch (error) {
    if (!ToolRefusalError.isInstance(error)) throw error;
    return "never";
  }
}
