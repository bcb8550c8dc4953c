import { defined } from "@openclaw/foundation";
import { heartbeatMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Routines } from "../routines.js";
import { routineSummary, runSummary } from "../view.js";
import { outcomeText } from "./command.js";

/**
 * Creates the methods of the heartbeat.
 * @param routines - the routines of the host
 */
export function createHeartbeatMethods({
  heartbeat,
}: Pick<Routines, "heartbeat">): MethodRegistry<typeof heartbeatMethods> {
  return MethodRegistry.of(heartbeatMethods, {
    "heartbeat.status": async () => {
      const { enabled, everyMs, agentId, timezone, channel, to, quietHours } = heartbeat.settings;
      const [state, waits] = await Promise.all([heartbeat.state(), heartbeat.waits()]);
      return {
        ...{ enabled, agentId, timezone, intervalSeconds: everyMs / 1000 },
        ...defined({ channel, to, quietHours, waits }),
        ...(state === undefined ? {} : { routine: routineSummary(state) }),
      };
    },
    "heartbeat.run": async () => {
      const run = await heartbeat.run();
      const text = outcomeText(run);
      return run === undefined ? { text } : { text, run: runSummary(run) };
    },
    "heartbeat.enable": async () => {
      await heartbeat.configured();
      await heartbeat.enable();
      return { enabled: (await heartbeat.state())?.routine.enabled === true };
    },
  });
}
