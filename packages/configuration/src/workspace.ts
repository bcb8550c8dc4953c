import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { LoadedConfiguration } from "./configuration.js";

/** Configuration, and the file whose folder relative paths start at. */
export type WorkspaceConfiguration = Pick<LoadedConfiguration, "value" | "file">;

/**
 * Returns the configured workspace of an agent: its own, else `agents.defaults.workspace` (GW-058). A relative path
 * starts at the folder of the configuration file.
 * @param configuration - valid configuration
 * @param currentDir - absolute path of the current folder
 * @param agentId - ID of the agent; without it the workspace of every agent
 * @returns undefined when the configuration has none
 */
export function configuredWorkspaceOf(
  configuration: WorkspaceConfiguration,
  currentDir: string,
  agentId?: string,
): string | undefined {
  const own =
    agentId === undefined ? undefined : ownWorkspaceOf(configuration, currentDir, agentId);
  const { workspace } = configuration.value.agents?.defaults ?? {};
  return own ?? (workspace && pathOf(workspace, configuration, currentDir));
}

/**
 * Returns the workspace of an agent that has its own, `agents.<id>.workspace` (GW-058).
 * @param configuration - valid configuration
 * @param currentDir - absolute path of the current folder
 * @param agentId - ID of the agent
 */
export function ownWorkspaceOf(
  configuration: WorkspaceConfiguration,
  currentDir: string,
  agentId: string,
): string | undefined {
  const sections: Readonly<Record<string, unknown>> = configuration.value.agents ?? {};
  const own = Object.hasOwn(sections, agentId) ? sections[agentId] : undefined;
  if (agentId === "defaults" || typeof own !== "object" || own === null) return undefined;
  const { workspace }: { workspace?: unknown } = own;
  if (typeof workspace !== "string") return undefined;
  return pathOf(workspace, configuration, currentDir);
}

function pathOf(workspace: string, { file }: WorkspaceConfiguration, currentDir: string): string {
  if (workspace === "~" || workspace.startsWith("~/")) return join(homedir(), workspace.slice(1));
  return resolve(file === undefined ? currentDir : dirname(file), workspace);
}
