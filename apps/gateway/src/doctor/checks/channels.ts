import { errorMessage } from "@openclaw/foundation";
import type { RunningGateway } from "../../host/running-gateway.js";
import { type CheckResult, passed } from "./check.js";

const NAME = "channels";

/**
 * Checks that the channels of a running gateway are connected. Without one, nothing is connected.
 * @param running - the gateway; undefined when none runs
 */
export async function checkChannels(
  running: RunningGateway | undefined,
): Promise<readonly CheckResult[]> {
  if (running?.http === undefined) return [];
  try {
    const { channels } = await running.http.client.call("channels.list", {});
    const used = channels.filter(({ state }) => state !== "unconfigured" && state !== "disabled");
    if (used.length === 0) return [];
    const problems = used.flatMap(({ channel, state, problem, lost }): CheckResult[] => {
      const hint = `openclaw channels status ${channel}`;
      if (state !== "connected") {
        const reason = problem === undefined ? "" : `: ${problem.message}`;
        return [{ name: NAME, status: "warn", message: `${channel} is ${state}${reason}`, hint }];
      }
      if (lost === 0) return [];
      const message = `${lost} messages of ${channel} were lost and are kept`;
      return [{ name: NAME, status: "warn", message, hint: `openclaw channels lost ${channel}` }];
    });
    if (problems.length > 0) return problems;
    const names = [...new Set(used.map(({ channel }) => channel))];
    return [passed(NAME, `connected: ${names.join(", ")}`)];
  } catch (error) {
    return [{ name: NAME, status: "warn", message: errorMessage(error) }];
  }
}
