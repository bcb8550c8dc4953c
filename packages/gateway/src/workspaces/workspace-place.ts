import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { WorkspaceInStateFolderError } from "../errors.js";

/** Part of the state folder that may be a workspace. */
const OPEN_PART = "workspace";

/**
 * Rejects a workspace inside the state folder, whose files no tool may touch, except `workspace` in it.
 * @param workspaceDir - workspace, which may not exist yet
 * @param stateDir - state folder, which may not exist yet
 * @throws WorkspaceInStateFolderError
 */
export function assertWorkspacePlace(workspaceDir: string, stateDir: string): void {
  const [workspace, state] = [realPathOf(workspaceDir), realPathOf(stateDir)];
  if (!isWithin(workspace, state) || isWithin(workspace, join(state, OPEN_PART))) return;
  throw new WorkspaceInStateFolderError(workspaceDir, stateDir);
}

function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === "" || (between !== ".." && !between.startsWith(`..${sep}`));
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}
