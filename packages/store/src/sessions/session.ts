import type { TurnState } from "../turns/turns.js";
import type { SessionOverview } from "./overview.js";

/** Every handling of a message that arrives during a turn (TURN-056). */
export const QUEUE_MODES = ["queue", "collect", "steer", "interrupt", "reject"] as const;

/** Handling of a message that arrives during a turn. */
export type QueueMode = (typeof QUEUE_MODES)[number];

/** A conversation with an agent, in its current incarnation. */
export interface Session {
  readonly sessionKey: string;
  /** UUID of the current incarnation; a reset gives the key a new one. */
  readonly sessionId: string;
  readonly agentId: string;
  readonly channel?: string | undefined;
  readonly label?: string | undefined;
  /** Model reference chosen for this session. */
  readonly model?: string | undefined;
  /** Handling of messages that arrive during a turn, chosen for this session. */
  readonly queueMode?: QueueMode | undefined;
  /** True if details of each turn are shown. */
  readonly verbose?: boolean | undefined;
  /** True for one that operators keep at the top of lists. */
  readonly pinned?: boolean | undefined;
  /** True for one that operators put away; it can be used as before. */
  readonly archived?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time at which the session was last opened, touched or written to, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Transcript entries of the current incarnation. */
  readonly messageCount: number;
}

/** Sender of messages in a session. */
export interface SessionSender {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
}

/** Filter for listing sessions. */
export interface SessionFilter {
  /** Maximum number of sessions. */
  readonly limit: number;
  readonly agentId?: string | undefined;
  /**
   * Selects only sessions in which this sender wrote and no other; messages from other sessions do not count.
   */
  readonly sender?: SessionSender | undefined;
  readonly sessionKey?: string | undefined;
  readonly channel?: string | undefined;
  readonly label?: string | undefined;
  /** True for pinned sessions only, false for the others. */
  readonly pinned?: boolean | undefined;
  /** True for archived sessions only, false for the others. */
  readonly archived?: boolean | undefined;
  /** State of the last turn of the current conversation. */
  readonly state?: TurnState | undefined;
  /** Text that the key, the label or the last message contains; of ASCII letters, the case is ignored. */
  readonly text?: string | undefined;
  /** Selects only sessions after this position of the list. */
  readonly after?: SessionCursor | undefined;
}

/** Position in the list of sessions. */
export type SessionCursor = Pick<Session, "updatedAt" | "sessionKey">;

/** Initial values of a session. */
export interface NewSession {
  readonly agentId: string;
  /** UUID of the first incarnation of an imported session; generated when absent. */
  readonly sessionId?: string | undefined;
  readonly channel?: string | undefined;
  readonly label?: string | undefined;
  readonly model?: string | undefined;
  readonly queueMode?: QueueMode | undefined;
}

/** Changes to a session; null removes a value. */
export interface SessionChanges {
  readonly label?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly queueMode?: QueueMode | null | undefined;
  readonly verbose?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
}

/** All reasons for which an incarnation of a session ends. */
export const SESSION_END_REASONS = [
  "new",
  "reset",
  "idle",
  "daily",
  "compaction",
  "deleted",
  "shutdown",
  "restart",
  "unknown",
] as const;

/** Reason why an incarnation of a session ended. */
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

/** An incarnation that has just ended. */
export interface SessionEnd {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly messageCount: number;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** Sessions by key. */
export interface Sessions {
  /**
   * Returns the session with a key, creating it when it does not exist. Of concurrent callers with
   * one key exactly one gets `created` true.
   * @param sessionKey - any form of key
   * @param session - used only when the session is created
   */
  open(sessionKey: string, session: NewSession): Promise<{ session: Session; created: boolean }>;
  /** Returns the session with a key. */
  get(sessionKey: string): Promise<Session | undefined>;
  /**
   * Returns sessions, most recently used first.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  list(filter: SessionFilter): Promise<readonly Session[]>;
  /** Returns the number of sessions that a filter selects. */
  count(filter: Omit<SessionFilter, "limit" | "after">): Promise<number>;
  /**
   * Returns tokens, cost and last turn of the current conversations of sessions, by the ID of the conversation.
   * @param sessions - at most a page of sessions
   */
  overview(
    sessions: readonly Pick<Session, "sessionId">[],
  ): Promise<ReadonlyMap<string, SessionOverview>>;
  /**
   * Marks a session as used now and applies changes.
   * @throws RowNotFoundError when the session does not exist
   */
  touch(sessionKey: string, changes?: SessionChanges): Promise<Session>;
  /**
   * Applies changes without marking the session as used.
   * @returns undefined when the session does not exist
   */
  change(sessionKey: string, changes: SessionChanges): Promise<Session | undefined>;
  /** Returns the sessions for which a model, a queue mode or details were chosen. */
  customized(): Promise<readonly Session[]>;
  /**
   * Marks an incarnation as ended, which happens once: a further call changes nothing.
   * @returns undefined when it had already ended, or does not exist
   */
  end(sessionId: string, reason: SessionEndReason): Promise<SessionEnd | undefined>;
  /**
   * Gives a session a new, empty incarnation; call it in the transaction that ends the previous
   * one.
   * @throws RowNotFoundError when the session does not exist
   */
  renew(sessionKey: string): Promise<Session>;
  /**
   * Removes a session with all of its data: conversations, turns, replies, values of plugins. The
   * ids of its messages are kept, so that a duplicate is still recognized, and so is the audit log.
   * @returns the incarnation that ended with it; undefined when the session does not exist
   * @throws RowStateError when one of its turns has not ended
   */
  remove(sessionKey: string): Promise<SessionEnd | undefined>;
  /**
   * Erases the content of a conversation: its transcript, and what its ended turns and settled messages keep of it. The
   * rows of messages and turns stay, so that a repeated message is still recognized. Approval requests, audit logs and
   * usage are kept (SUB-034).
   * @param sessionId - incarnation of the session
   */
  erase(sessionId: string): Promise<void>;
}
