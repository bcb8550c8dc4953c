import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, parse } from "node:path";
import { configuredWorkspaceOf, type LoadedConfiguration } from "@openclaw/configuration";
import { stateDirOf } from "../installation.js";

/** Workspace of a command. */
export interface WorkspaceFolder {
  /** Real path; the given one while the folder does not exist. */
  readonly dir: string;
  /** Sentence for the user when the workspace is not the folder in which the command was run. */
  readonly notice: string | undefined;
}

/**
 * Returns the workspace of a command: the configured one of the agent or of every agent, else the folder in which the
 * command was run. The file system root and the home folder are too broad to give to an agent, so there it is
 * `workspace` in the state folder.
 * @param environment - environment variables of the command
 * @param configuration - configuration of the gateway
 * @param agentId - ID of the agent of a chat or a check; without it the workspace of the gateway
 */
export function workspaceFolderOf(
  environment: NodeJS.ProcessEnv,
  configuration: Pick<LoadedConfiguration, "value" | "file">,
  agentId?: string,
): WorkspaceFolder {
  const folder = process.cwd();
  const configured = configuredWorkspaceOf(configuration, folder, agentId);
  if (configured !== undefined) return { dir: realPathOf(configured), notice: undefined };
  const dir = realPathOf(folder);
  const broad =
    dir === parse(dir).root ? dir : dir === realPathOf(homedir()) ? "the home folder" : undefined;
  if (broad === undefined) return { dir, notice: undefined };
  const instead = join(stateDirOf(environment), "workspace");
  return {
    dir: realPathOf(instead),
    notice: `The workspace is ${instead}, because this command was run in ${broad}; run it in the folder of a project to work there.`,
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is created when a gateway starts there.
    return path;
  }
}
