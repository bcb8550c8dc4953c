import { probeSandbox, sandboxNotice } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

/**
 * Runs `openclaw doctor sandbox`: checks whether read-only commands run in a sandbox on this machine, and if
 * not, prints the cause and the fix (TURN-059).
 * @param options - format
 * @param context - terminal and environment
 */
export async function sandboxCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const configuration = await loadOperatorConfiguration(environment);
  const state = await probeSandbox(
    configuration,
    workspaceFolderOf(environment, configuration).dir,
    stateDirOf(environment),
  );
  terminal.print(json ? JSON.stringify(state) : `sandbox ${sandboxNotice(state)}`);
  return state.active ? EXIT.ok : EXIT.negative;
}
