import type { Store } from "@openclaw/store";
import type { LiveSessions } from "./live-sessions.js";

/** State of a conversation (SUB-024). */
export type ThreadState = "Idle" | "Processing" | "AwaitingApproval" | "Completed" | "Interrupted";

/** Conversation of a session. Times are milliseconds since the epoch. */
export interface ListedThread {
  /** UUID. */
  readonly id: string;
  readonly state: ThreadState;
  readonly isCurrent: boolean;
  readonly messageCount: number;
  readonly openedAt: number;
  readonly lastAt: number;
}

/** Conversations of a session, and checkpoints of the current one, the newest first. */
export interface SessionThreads {
  readonly threads: readonly ListedThread[];
  readonly checkpoints: readonly { readonly id: string; readonly createdAt: number }[];
  /** Number of turns that a redo brings back. */
  readonly redo: number;
}

/** Dependencies of {@link listThreads}. */
export interface ThreadsDependencies {
  readonly store: Pick<Store, "sessions" | "messages" | "decisions" | "turns">;
  readonly live: Pick<LiveSessions, "turns">;
}

const MOST_THREADS = 100;

/**
 * Lists the conversations of a session.
 * @param sessionKey - full key of the session
 * @param dependencies - store and live sessions
 * @returns undefined when the session does not exist
 */
export async function listThreads(
  sessionKey: string,
  dependencies: ThreadsDependencies,
): Promise<SessionThreads | undefined> {
  const { store } = dependencies;
  const session = await store.sessions.get(sessionKey);
  if (session === undefined) return undefined;
  const current = await threadState(session, dependencies);
  const found = await store.sessions.threads.list(sessionKey, MOST_THREADS);
  const { undo, redo } = await store.messages.checkpoints.list(session.sessionId);
  return {
    threads: found.map(({ sessionId: id, isCurrent, ...thread }) => {
      // A conversation that is not continued any more has completed.
      return { id, isCurrent, state: isCurrent ? current : "Completed", ...thread };
    }),
    checkpoints: undo.map(({ checkpointId: id, createdAt }) => ({ id, createdAt })),
    redo,
  };
}

/**
 * Returns the state of the current conversation of a session.
 * @param dependencies - store and live sessions
 */
export async function threadState(
  { sessionKey, sessionId }: { readonly sessionKey: string; readonly sessionId: string },
  { store, live }: ThreadsDependencies,
): Promise<ThreadState> {
  if (live.turns(sessionKey).length > 0) {
    const pending = await store.decisions.approvals.pending(sessionKey);
    return pending.length > 0 ? "AwaitingApproval" : "Processing";
  }
  const last = await store.turns.last(sessionId);
  return last?.state === "interrupted" ? "Interrupted" : "Idle";
}
