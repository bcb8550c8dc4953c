import type { PolicyShadow } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Policy } from "@openclaw/tool-policy";
import type { HostContext } from "./context.js";

/**
 * Returns a policy that is tried, whose differences are logged and sent to clients (POL-035).
 * @param policy - policy that is evaluated and never applied
 * @param context - log and clients
 */
export function reportedShadow(
  policy: Policy,
  { events, logger }: Pick<HostContext, "events" | "logger">,
): PolicyShadow {
  return {
    policy,
    differs({ reason, ...difference }) {
      const { tool, live, candidate, ...ids } = difference;
      logger.info(`the candidate policy would decide ${tool} as ${candidate}, not ${live}`, {
        code: "POLICY_SHADOW",
        ...{ tool, live, candidate },
        ...ids,
      });
      events.publish("policy.shadow", { ...difference, ...defined({ reason }) });
    },
  };
}
