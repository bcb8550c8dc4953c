import { setTimeout as wait } from "node:timers/promises";
import { forgetRestart, markRestart, readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import { activeService } from "../service/active.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { GatewayNotRestartedError } from "./not-restarted-error.js";

const POLL_MS = 50;
/** Time for the start after the stop, as `openclaw update` has it. */
const START_MS = 60_000;

/**
 * Runs `openclaw gateway restart`: restarts the service, or lets the gateway process replace itself, and waits until the
 * gateway is ready again. Plugins receive `session_end` and the stop and start hooks with the reason `restart`.
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayNotRestartedError when it is not ready in time
 * @throws UsageError on Windows, for a gateway that is not a service
 */
export async function restartCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const { dir, lockFile } = stateFolderAt(stateDirOf(environment));
  const holder = await readLockHolder(lockFile);
  // A chat that holds the state folder serves no HTTP.
  if (holder?.port === undefined) {
    const none = JSON.stringify({ restarted: false, running: false });
    terminal.print(json ? none : "No gateway is running. Start it with `openclaw gateway run`.");
    return EXIT.negative;
  }
  const { pid, startedAt } = holder;
  const service = await activeService(environment);
  if (service === undefined && process.platform === "win32") {
    throw new UsageError(
      "a process cannot replace itself on Windows; run `openclaw gateway stop` and start it again",
    );
  }
  markRestart(dir, { pid, inPlace: service === undefined });
  try {
    if (service === undefined) process.kill(pid, "SIGTERM");
    else await service.restart();
    const next = await readyAgain(startedAt, environment);
    if (next === undefined) throw new GatewayNotRestartedError(pid, START_MS);
    const text = `The gateway has restarted (process ${next}).`;
    terminal.print(json ? JSON.stringify({ restarted: true, pid: next }) : text);
    return EXIT.ok;
  } finally {
    forgetRestart(dir);
  }
}

/** Waits for a gateway that started later to become ready; returns its process id. */
async function readyAgain(
  before: number,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const { lockFile } = stateFolderAt(stateDirOf(environment));
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    await wait(POLL_MS);
    const holder = await readLockHolder(lockFile);
    if (holder === undefined || holder.startedAt === before || holder.port === undefined) continue;
    const running = await findRunningGateway(environment);
    const readiness = await running?.http?.client.readiness().catch(() => undefined);
    if (readiness?.ready === true) return holder.pid;
  }
  return undefined;
}
