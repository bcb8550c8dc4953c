import { stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { workspaceFolderOf } from "./folder.js";

/**
 * Runs `openclaw trust`: trusts the workspace, so that its instructions, skills and plugins are used.
 * @param options - agent and format
 * @param context - terminal and environment
 */
export async function trustCommand(
  { agent, json = false }: { agent?: string; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const { dir, notice } = workspaceFolderOf(
    environment,
    await loadOperatorConfiguration(environment),
    agent,
  );
  if (notice !== undefined) terminal.note(notice);
  new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile).decide(dir, true);
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) await running.http.client.call("plugins.reload", {});
  const text = `Trusted ${dir}: its AGENTS.md, skills and plugins are used.`;
  terminal.print(json ? JSON.stringify({ dir, isTrusted: true }) : text);
  return EXIT.ok;
}
