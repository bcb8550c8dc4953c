import { join } from "node:path";
import { HEARTBEAT_FILE, type HeartbeatFile } from "@openclaw/routines";
import type { HostContext } from "../host/context.js";
import { agentWorkspace } from "../workspaces/agent-workspace.js";
import { readWorkspaceFile } from "../workspaces/instructions.js";

const MOST_BYTES = 64 * 1024;

/**
 * Reads HEARTBEAT.md of the workspace of an agent. A workspace that is not trusted gives the agent no tasks.
 * @param context - configuration and workspace of the host
 */
export async function readHeartbeatFile(
  agentId: string,
  {
    configuration,
    workspaceDir,
    isTrusted,
  }: Pick<HostContext, "configuration" | "workspaceDir" | "isTrusted">,
): Promise<HeartbeatFile> {
  const folder = agentWorkspace(configuration, workspaceDir, agentId) ?? workspaceDir;
  if (isTrusted?.(folder) === false) {
    const problem = `the workspace ${folder} is not trusted; trust it with \`openclaw trust\``;
    return { text: undefined, problem };
  }
  const file = await readWorkspaceFile(join(folder, HEARTBEAT_FILE), folder, MOST_BYTES);
  return { text: file?.text };
}
