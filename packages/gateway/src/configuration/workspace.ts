import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { LoadedConfiguration } from "./configuration.js";

/**
 * Returns the workspace of agents: `agents.defaults.workspace`, else the current folder. A relative path starts at the
 * folder of the configuration file.
 * @param configuration - valid configuration
 * @param currentDir - absolute path of the current folder
 */
export function workspaceOf(
  { value, file }: Pick<LoadedConfiguration, "value" | "file">,
  currentDir: string,
): string {
  const workspace = value.agents?.defaults?.workspace;
  if (workspace === undefined) return currentDir;
  if (workspace === "~" || workspace.startsWith("~/")) return join(homedir(), workspace.slice(1));
  return resolve(file === undefined ? currentDir : dirname(file), workspace);
}
