import { probeSandbox, sandboxNotice } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * `openclaw doctor sandbox`: whether commands that only read run in a sandbox here, and else the cause and
 * the remedy (TURN-059).
 * @param context - terminal and environment
 */
export async function sandboxCommand({ terminal, environment }: CommandContext): Promise<ExitCode> {
  const configuration = await loadOperatorConfiguration(environment);
  const state = await probeSandbox(configuration, process.cwd(), stateDirOf(environment));
  terminal.print(`sandbox ${sandboxNotice(state)}`);
  return state.active ? EXIT.ok : EXIT.negative;
}
