import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { errorMessage } from "@openclaw/foundation";
import { stateDirOf } from "../installation.js";
import { UsageError } from "../shell/usage-error.js";

/**
 * Returns the variables of `.env` in the state folder; none when it does not exist.
 * @param environment - environment variables of the process
 * @throws UsageError when the file cannot be read
 */
export function readEnvironmentFile(environment: NodeJS.ProcessEnv): NodeJS.Dict<string> {
  const file = join(stateDirOf(environment), ".env");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT.has(error.code)) return {};
    const reason = errorMessage(error);
    throw new UsageError(
      `cannot read ${file} (${reason}); make it a file that this user can read, or remove it`,
    );
  }
  return parseEnv(text);
}

/** The file or its folder does not exist. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Adds the variables of `.env` in the state folder to those of the process, which take precedence (HOST-001).
 * @param environment - environment variables of the process
 * @param stateDir - state folder that an option of the command names
 * @throws UsageError when the file cannot be read
 */
export function addEnvironmentFile(environment: NodeJS.ProcessEnv, stateDir?: string): void {
  const named = stateDir === undefined ? environment : { OPENCLAW_STATE_DIR: stateDir };
  for (const [name, value] of Object.entries(readEnvironmentFile(named))) {
    environment[name] ??= value;
  }
}
