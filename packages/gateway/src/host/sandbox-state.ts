import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { BubblewrapSandbox, type SandboxState } from "@openclaw/core-tools";

/**
 * Tests the sandbox with the settings that `exec` uses (TURN-059).
 * @param configuration - configuration of the host
 * @param workspaceDir - absolute path of the workspace
 * @param stateDir - absolute path of the state folder
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
  if (existsSync(stateDir)) return await new BubblewrapSandbox({ folders, stateDir }).state();
  // Before the first start there is no state folder that the sandbox could hide.
  const placeholder = mkdtempSync(join(tmpdir(), "openclaw-sandbox-"));
  try {
    return await new BubblewrapSandbox({ folders, stateDir: placeholder }).state();
  } finally {
    rmSync(placeholder, { recursive: true, force: true });
  }
}

/**
 * Describes the state of the sandbox in one line, with the cause and the fix when it is not active.
 * @param state - result of the test
 */
export function sandboxNotice(state: SandboxState): string {
  if (!state.active) return `not active: ${state.cause}. To activate it, ${state.remedy}`;
  const notice = state.notice === undefined ? "" : `; ${state.notice}`;
  return `active for read-only commands and for commands that a setting allows${notice}`;
}
