import { SHUTDOWN_MS } from "@openclaw/configuration";
import { waitAtMost } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { LiveListener } from "../clients/live-listener.js";
import type { Host } from "../host/running-host.js";
import type { StopReason } from "../host/shutdown.js";
import type { StartSequence } from "../host/start-sequence.js";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import type { HostPhase } from "./phase.js";
import type { PluginGuard } from "./plugin-guard.js";

/** Time for the store, log and lock to close after everything else has used up the time of a stop. */
const LAST_CLOSE_MS = 1000;

/** Parts of a host that a stop ends, in this order. */
export interface StoppableHost {
  readonly phase: HostPhase;
  readonly host: Pick<Host, "close">;
  readonly clients: Pick<LiveListener, "close"> | undefined;
  readonly guard: Pick<PluginGuard, "reportOpen">;
  readonly sequence: Pick<StartSequence, "run">;
}

/**
 * Returns a function that stops a host once: it accepts no new messages, turns finish or are suspended, everything closes
 * (GW-009).
 * @param parts - the host
 * @param configuration - time for the stop
 * @param logger - receives what was left open, and the end
 */
export function stopOnce(
  { phase, host, clients, guard, sequence }: StoppableHost,
  configuration: Pick<LiveConfiguration, "value">,
  logger: Logger,
): (reason: StopReason) => Promise<void> {
  const stop = async (reason: StopReason): Promise<void> => {
    phase.stop();
    const timeoutMs = configuration.value.gateway?.shutdownTimeoutMs ?? SHUTDOWN_MS;
    const until = performance.now() + timeoutMs;
    const closed = host.close(reason, async (drain) => clients?.close(reason, drain));
    await waitAtMost(timeoutMs + LAST_CLOSE_MS, closed);
    guard.reportOpen();
    logger.info("OpenClaw has stopped", { reason });
    await waitAtMost(Math.max(LAST_CLOSE_MS, until - performance.now()), sequence.run());
  };
  let stopped: Promise<void> | undefined;
  return (reason) => {
    stopped ??= stop(reason);
    return stopped;
  };
}
