import { stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { workspaceFolderOf } from "./folder.js";

/**
 * Runs `openclaw trust`: trusts the workspace, so that its instructions, skills and plugins are used.
 * @param context - terminal and environment
 */
export async function trustCommand({ terminal, environment }: CommandContext): Promise<ExitCode> {
  const { dir, notice } = workspaceFolderOf(environment);
  if (notice !== undefined) terminal.note(notice);
  new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile).decide(dir, true);
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) await running.http.client.call("plugins.reload", {});
  terminal.print(`Trusted ${dir}: its AGENTS.md, skills and plugins are used.`);
  return EXIT.ok;
}
