import { stateDirOf } from "../installation.js";

/**
 * Returns the folder of the host's state.
 * @param environment - environment variables; `OPENCLAW_STATE_DIR` overrides the folder
 * @deprecated Call `api.runtime.state.resolveStateDir()`.
 */
export function resolveStateDir(environment: NodeJS.ProcessEnv = process.env): string {
  return stateDirOf(environment);
}
