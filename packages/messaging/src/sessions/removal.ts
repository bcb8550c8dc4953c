import type { ApprovalBroker } from "@openclaw/approval-broker";
import { nearestName } from "@openclaw/foundation";
import type { SessionEnd, Store } from "@openclaw/store";
import { SessionBusyError, SessionNotFoundError } from "../errors.js";
import type { SubagentManager } from "../subagents/manager.js";
import type { SessionLifecycle } from "./lifecycle.js";
import type { LiveSessions } from "./live-sessions.js";

/** Dependencies of {@link removeStored}. */
interface StoredSessionDependencies {
  readonly store: Pick<Store, "sessions" | "turns">;
  readonly sessions: Pick<SessionLifecycle, "remove">;
}

/** Dependencies of {@link deleteSession}. */
export interface SessionRemovalDependencies extends StoredSessionDependencies {
  readonly live: Pick<LiveSessions, "turns" | "run">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
}

/**
 * Deletes a session with all its data, and notifies plugins of its end (TURN-010). Its subagents are stopped;
 * messages that arrive in the meantime start a new session.
 * @param sessionKey - full key of the session
 * @param dependencies - live sessions, sessions, subagents and approval requests
 * @throws SessionNotFoundError when it does not exist, SessionBusyError while one of its turns has not ended
 */
export async function deleteSession(
  sessionKey: string,
  dependencies: SessionRemovalDependencies,
): Promise<SessionEnd> {
  const { live, subagents, approvals, store } = dependencies;
  const [queued] = live.turns(sessionKey);
  if (queued !== undefined) throw new SessionBusyError(sessionKey, queued.turn.runId);
  return await live.run(sessionKey, async () => {
    await subagents.stopSubagentsOf(sessionKey);
    await approvals.cancelFor({ sessionKey }, "session-deleted");
    const end = await removeStored(sessionKey, dependencies);
    if (end !== undefined) return end;
    const known = await store.sessions.list({ limit: 100 });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  });
}

/** Removes the session unless a message that arrived in the meantime has queued a turn. */
async function removeStored(
  sessionKey: string,
  { sessions, store }: StoredSessionDependencies,
): Promise<SessionEnd | undefined> {
  try {
    return await sessions.remove(sessionKey);
  } catch (error) {
    const unfinished = (await store.turns.unfinished()).find(
      (turn) => turn.sessionKey === sessionKey,
    );
    if (unfinished === undefined) throw error;
    throw new SessionBusyError(sessionKey, unfinished.runId);
  }
}
