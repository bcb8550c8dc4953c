import { setTimeout as wait } from "node:timers/promises";
import { readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { stateDirOf } from "../installation.js";

/** Time for the exit of the process in addition to that of the stop (GW-009). */
const EXIT_MS = 5000;
const POLL_MS = 50;

/** Gateway that was told to stop. */
export interface StoppedGateway {
  readonly pid: number;
  /** False when it still uses the state folder after its time for a stop. */
  readonly hasEnded: boolean;
  readonly waitedMs: number;
}

/**
 * Stops the gateway that uses the state folder, and waits until it has ended.
 * @param environment - environment variables of the command
 * @returns undefined when none is running
 */
export async function stopRunningGateway(
  environment: NodeJS.ProcessEnv,
): Promise<StoppedGateway | undefined> {
  const { lockFile } = stateFolderAt(stateDirOf(environment));
  const holder = await readLockHolder(lockFile);
  if (holder === undefined) return undefined;
  const { pid } = holder;
  process.kill(pid, "SIGTERM");
  const waitedMs = (await shutdownTimeoutMs(environment)) + EXIT_MS;
  for (let waited = 0; waited < waitedMs; waited += POLL_MS) {
    await wait(POLL_MS);
    if ((await readLockHolder(lockFile)) === undefined) return { pid, hasEnded: true, waitedMs };
  }
  return { pid, hasEnded: false, waitedMs };
}

/**
 * Returns the time for a stop in milliseconds; a configuration that is not valid does not prevent one.
 * @param environment - environment variables of the command
 */
async function shutdownTimeoutMs(environment: NodeJS.ProcessEnv): Promise<number> {
  const [{ ConfigurationError, SHUTDOWN_MS }, { loadEarlySections }] = await Promise.all([
    import("@openclaw/configuration"),
    import("../configuration.js"),
  ]);
  try {
    const { gateway } = await loadEarlySections(environment);
    return gateway?.shutdownTimeoutMs ?? SHUTDOWN_MS;
  } catch (error) {
    if (ConfigurationError.isInstance(error)) return SHUTDOWN_MS;
    throw error;
  }
}
