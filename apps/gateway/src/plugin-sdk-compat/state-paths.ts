import { stateDirOf } from "../installation.js";

/**
 * Folder of the host's state.
 * @param environment - `OPENCLAW_STATE_DIR` names another
 * @deprecated Call `api.runtime.state.resolveStateDir()`.
 */
export function resolveStateDir(environment: NodeJS.ProcessEnv = process.env): string {
  return stateDirOf(environment);
}
