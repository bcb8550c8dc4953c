import { nearestName } from "@openclaw/foundation";
import type { SessionEnd } from "@openclaw/store";
import { SessionBusyError, SessionNotFoundError } from "../errors.js";
import type { MessageHost } from "../inbound/host.js";

/**
 * Deletes a session with all that belongs to it, and tells the plugins of its end (TURN-010). Its children
 * are stopped; messages that come meanwhile begin a new one.
 * @param sessionKey - full key of the session
 * @param host - lines, sessions and questions
 * @throws SessionNotFoundError when there is none, SessionBusyError while a turn of it has not ended
 */
export async function deleteSession(
  sessionKey: string,
  host: Pick<MessageHost, "store" | "queue" | "turnLines" | "sessions" | "subagents" | "approvals">,
): Promise<SessionEnd> {
  const [lined] = host.turnLines.of(sessionKey);
  if (lined !== undefined) throw new SessionBusyError(sessionKey, lined.turn.runId);
  return await host.queue.run(sessionKey, async () => {
    await host.subagents.stopChildrenOf(sessionKey);
    await host.approvals.cancelFor({ sessionKey }, "session-deleted");
    const end = await removed(sessionKey, host);
    if (end !== undefined) return end;
    const known = await host.store.sessions.list({ limit: 100 });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  });
}

/** A message that came in meanwhile may have queued a turn already. */
async function removed(
  sessionKey: string,
  { sessions, store }: Pick<MessageHost, "sessions" | "store">,
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
