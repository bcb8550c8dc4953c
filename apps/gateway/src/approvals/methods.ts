import type { approvalMethods, CallMethod } from "@openclaw/protocol";
import type { CommandAccess } from "../host/methods.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/**
 * Gives a command the approval methods: those of the running gateway, else methods that work directly on the
 * database of the state folder. The latter load no plugin and resume no turn; a decided turn resumes at the
 * next start.
 * @param context - terminal and environment
 * @param work - function of the command that calls them; it also learns whether a gateway is running
 * @param access - `reads` for a command that changes nothing
 * @throws StateLockedError when a process without HTTP uses the state folder
 */
export async function withApprovalMethods<Result>(
  { environment }: CommandContext,
  work: (
    call: CallMethod<typeof approvalMethods>,
    host: { readonly isRunning: boolean },
  ) => Promise<Result>,
  access: CommandAccess = "changes",
): Promise<Result> {
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) return work(running.http.client.call, { isRunning: true });
  const [{ openStoredApprovals }, { loadOperatorConfiguration }] = await Promise.all([
    import("@openclaw/gateway"),
    import("../configuration.js"),
  ]);
  const stateDir = stateDirOf(environment);
  const configuration = await loadOperatorConfiguration(environment);
  const stored = await openStoredApprovals({
    ...{ stateDir, configuration, environment },
    isReading: access === "reads",
  });
  try {
    return await work((method, parameters) => stored.methods.call(method, parameters), {
      isRunning: false,
    });
  } finally {
    await stored.close();
  }
}
