import type { Store } from "@openclaw/store";
import { approvalName } from "../approvals/request.js";
import type { LiveSessions } from "../sessions/live-sessions.js";

/** Dependencies of {@link waitingNotice}. */
export interface WaitingNoticeDependencies {
  readonly store: Pick<Store, "decisions">;
  readonly live: Pick<LiveSessions, "turns">;
}

/**
 * Returns why a command that runs between the turns of a session would wait without end: a turn waits for a decision.
 * @param sessionKey - full key of the session
 * @param dependencies - approval requests and turns
 * @returns text for the sender; undefined when no turn waits
 */
export async function waitingNotice(
  sessionKey: string,
  { store, live }: WaitingNoticeDependencies,
): Promise<string | undefined> {
  if (live.turns(sessionKey).length === 0) return undefined;
  const [approval] = await store.decisions.approvals.pending(sessionKey);
  if (approval === undefined) return undefined;
  return `Nothing was changed, because the running turn waits for the decision on ${approvalName(approval)}. Decide it or use /interrupt, then repeat the command.`;
}
