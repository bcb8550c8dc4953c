import { mkdirSync, realpathSync } from "node:fs";
import { ownWorkspaceOf, type WorkspaceConfiguration } from "@openclaw/configuration";

/**
 * Returns the real path of the workspace of an agent that has its own, and creates the folder (GW-058). It holds for
 * every session of the agent: that of a chat in another folder, and that of a subagent which another agent started.
 * @param configuration - configuration in force
 * @param currentDir - absolute path of the workspace of the gateway
 * @returns undefined for an agent without its own workspace
 */
export function agentWorkspace(
  configuration: WorkspaceConfiguration,
  currentDir: string,
  agentId: string,
): string | undefined {
  const path = ownWorkspaceOf(configuration, currentDir, agentId);
  if (path === undefined) return undefined;
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch {
    // The tools report a folder that cannot be made; the agent does not get another one.
    return path;
  }
}
