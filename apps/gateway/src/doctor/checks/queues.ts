import { errorMessage } from "@openclaw/foundation";
import { type CheckResult, passed } from "./check.js";
import type { AskedGateway } from "./nodes.js";

const NAME = "queues";

/**
 * Checks that no work of a running gateway has failed for good (SCALE-014).
 * @param running - the gateway; undefined when none runs
 */
export async function checkQueues(
  running: AskedGateway | undefined,
): Promise<readonly CheckResult[]> {
  if (running?.http === undefined) return [];
  try {
    const { queues } = await running.http.client.call("queue.list", {});
    const failed = queues.filter(({ dead }) => dead > 0);
    if (failed.length === 0) return [passed(NAME, "no work has failed for good")];
    const counts = failed.map(({ queue, dead }) => `${dead} of "${queue}"`).join(", ");
    return [
      {
        ...{ name: NAME, status: "warn" },
        message: `work has failed for good: ${counts}`,
        hint: "`openclaw queue dead` shows it; `openclaw queue requeue` lets it run again, `openclaw queue discard` gives it up",
      },
    ];
  } catch (error) {
    return [{ name: NAME, status: "warn", message: errorMessage(error) }];
  }
}
