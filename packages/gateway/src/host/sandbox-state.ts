import { BubblewrapSandbox, type SandboxState } from "@openclaw/core-tools";
import type { LoadedConfiguration } from "../configuration/configuration.js";

/**
 * Tries the sandbox as `exec` uses it (TURN-059).
 * @param configuration - of the host
 * @param workspaceDir - absolute
 * @param stateDir - absolute
 */
export async function probeSandbox(
  { value }: Pick<LoadedConfiguration, "value">,
  workspaceDir: string,
  stateDir: string,
): Promise<SandboxState> {
  const { exec, fs } = value.tools ?? {};
  if (exec?.sandbox === "off") {
    const remedy = "remove tools.exec.sandbox from the configuration";
    return { active: false, cause: 'tools.exec.sandbox is "off"', remedy };
  }
  const folders = [workspaceDir, ...(fs?.roots ?? [])];
  return await new BubblewrapSandbox({ folders, stateDir }).state();
}

/**
 * Says in one line whether the sandbox is active, and else why not and what helps.
 * @param state - as probed
 */
export function sandboxNotice(state: SandboxState): string {
  return state.active
    ? "active: commands that only read, and those that a setting covers, run in it"
    : `not active: ${state.cause}. To activate it, ${state.remedy}`;
}
