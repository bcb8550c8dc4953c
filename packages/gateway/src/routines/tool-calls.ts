import type { RoutinesDependencies } from "@openclaw/routines";
import type { Store } from "@openclaw/store";
import type { SessionTools } from "../host/tools/session.js";

/**
 * Creates the caller of tools for routines, which takes the path of all calls in the session of the routine.
 * @param sessionTools - calls tools outside turns
 * @param signal - aborts when the host stops
 */
export function createRoutineToolCalls(
  sessionTools: Pick<SessionTools, "invoke" | "request">,
  store: Pick<Store, "sessions">,
  signal: AbortSignal,
): RoutinesDependencies["callTool"] {
  return async ({ sessionKey, agentId, tool, params, requester, signal: stop }) => {
    const { channel } = requester;
    const { session } = await store.sessions.open(sessionKey, { agentId, channel });
    const stopped = AbortSignal.any([signal, stop]);
    const request = await sessionTools.request(session, requester, stopped);
    return await sessionTools.invoke({ tool, params }, { ...request, trigger: "cron" });
  };
}
