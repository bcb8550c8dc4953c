import { logRejection } from "@openclaw/agent";
import { waitAtMost } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { EventPublisher } from "@openclaw/protocol";
import type { Session, SessionEnd, SessionEndReason, Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import type { TraceFields } from "../messages/trace.js";
import type { SessionConfiguration } from "./configuration.js";
import type { SessionEvents } from "./events.js";
import { SessionsInUse, type SessionsInUseDependencies } from "./in-use.js";
import type { LiveSessions } from "./live-sessions.js";
import type { SessionResources } from "./resources.js";

const MINUTE_MS = 60_000;

/** Origin and reason of a session reset. */
export interface ResetRequest {
  readonly by: HookMap["before_reset"]["event"]["reason"];
  readonly reason: SessionEndReason;
  /** Writes in the transaction of the reset. */
  alongside?(unit: Store): Promise<void>;
}

/** Time when a conversation ends automatically, `session.reset`. */
export interface SessionExpiry {
  /** Returns the limits in force. */
  limits(): NonNullable<SessionConfiguration["reset"]>;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Dependencies of {@link SessionLifecycle}. */
export interface SessionLifecycleDependencies {
  readonly store: Pick<Store, "sessions" | "transaction">;
  readonly events: SessionEvents;
  readonly resources: SessionResources;
  readonly live: LiveSessions;
  /** Sends events to the connected clients. */
  readonly publisher: EventPublisher;
  /** Background tasks, and the work of sessions, for the end of idle ones. */
  readonly idle: Omit<SessionsInUseDependencies, "live" | "now" | "ended">;
  readonly logger: Logger;
}

/**
 * Manages sessions from their first message to their end, and the hooks that report both to plugins
 * (TURN-010).
 */
export class SessionLifecycle {
  readonly #dependencies: SessionLifecycleDependencies;
  readonly #expiry: SessionExpiry;
  readonly #inUse: SessionsInUse;

  /**
   * @param dependencies - store, events, resources of sessions, publisher and log
   * @param expiry - time when a conversation ends automatically
   */
  constructor(dependencies: SessionLifecycleDependencies, expiry: SessionExpiry) {
    this.#dependencies = dependencies;
    this.#expiry = expiry;
    this.#inUse = new SessionsInUse({
      ...dependencies.idle,
      live: dependencies.live,
      now: () => expiry.now(),
      ended: (sessionId) => logRejection(this.#endIdle(sessionId), dependencies.logger),
    });
  }

  /** Number of sessions that are in memory. */
  get inUse(): number {
    return this.#inUse.size;
  }

  /** True if sessions expire by themselves. */
  get mayExpire(): boolean {
    const { idleMinutes, atHour } = this.#expiry.limits();
    return idleMinutes !== undefined || atHour !== undefined;
  }

  /**
   * Resets a session that has expired; does nothing otherwise.
   * @param sessionKey - key of the session that is about to be used
   */
  async renewWhenDue(sessionKey: string): Promise<void> {
    if (!this.mayExpire) return;
    const { idleMinutes, atHour } = this.#expiry.limits();
    const session = await this.#dependencies.store.sessions.get(sessionKey);
    if (session === undefined || session.messageCount === 0) return;
    const now = this.#expiry.now();
    const idleMs = (idleMinutes ?? Number.POSITIVE_INFINITY) * MINUTE_MS;
    const isPastHour = atHour !== undefined && session.updatedAt < latest(atHour, now);
    if (isPastHour) await this.reset(sessionKey, { by: "daily", reason: "daily" });
    else if (now - session.updatedAt >= idleMs) {
      await this.reset(sessionKey, { by: "idle", reason: "idle" });
    }
  }

  /**
   * Records that a session is in use. Notifies plugins of one that was just created.
   * @param session - opened and committed session
   * @param created - true when opening it created it
   * @param trace - trace of the message that opened it, if one did
   */
  opened(session: Session, created: boolean, trace?: TraceFields): void {
    this.#inUse.add(session.sessionKey, session.sessionId);
    if (!created) return;
    this.#dependencies.live.remember(session);
    this.#dependencies.events.started(session, { reason: "new" }, trace);
    this.#changed(session.sessionKey, "created");
  }

  /**
   * Records that the settings of a session, its conversation or the values of plugins in it have changed.
   * @param session - session as stored now
   */
  updated(session: Session): void {
    this.#dependencies.live.remember(session);
    this.#changed(session.sessionKey, "updated");
  }

  /**
   * Ends the conversation of a session and starts a new one; does nothing if the session does not exist.
   * @param sessionKey - key of a session without a running turn
   * @param request - origin, and reason to store
   * @returns the session with its new conversation
   */
  async reset(sessionKey: string, request: ResetRequest): Promise<Session | undefined> {
    const { by, reason } = request;
    const { store, events, resources, logger } = this.#dependencies;
    const before = await store.sessions.get(sessionKey);
    if (before === undefined) return undefined;
    await events.resetting(before, by);
    await resources.dropPluginValues(sessionKey, "reset");
    await resources.revokeGrants(sessionKey);
    const { end, after } = await store.transaction(async (unit) => {
      const ended = await unit.sessions.end(before.sessionId, reason);
      const renewed = await unit.sessions.renew(sessionKey);
      await request.alongside?.(unit);
      return { end: ended, after: renewed };
    });
    this.#inUse.add(sessionKey, after.sessionId);
    if (end !== undefined) logRejection(this.#ended(end, reason, after), logger);
    const start = reason === "new" ? "new" : "reset";
    events.started(after, { reason: start, resumedFrom: before.sessionId });
    this.#changed(sessionKey, "reset");
    return after;
  }

  /**
   * Ends the conversation of a session and continues another one under a new session ID (SUB-023).
   * @param before - the session as stored, without a running turn
   * @param from - newest incarnation of the other conversation
   * @param alongside - writes in the same transaction
   */
  async resume(
    before: Session,
    from: string,
    alongside: (unit: Store) => Promise<void>,
  ): Promise<void> {
    const { store, events, resources, logger } = this.#dependencies;
    const { sessionKey } = before;
    await resources.revokeGrants(sessionKey);
    const { end, after } = await store.transaction(async (unit) => {
      const ended = await unit.sessions.end(before.sessionId, "new");
      const continued = await unit.sessions.threads.continue(sessionKey, from);
      await alongside(unit);
      return { end: ended, after: continued };
    });
    this.#inUse.add(sessionKey, after.sessionId);
    if (end !== undefined) logRejection(this.#ended(end, "new", after), logger);
    events.started(after, { reason: "resume", resumedFrom: from });
    this.#changed(sessionKey, "reset");
  }

  /**
   * Removes a session with all its data, and waits until plugins were notified of its end.
   * @param sessionKey - key of a session without a running turn
   * @returns the ended session; undefined when it does not exist
   * @throws RowStateError when one of its turns has not ended
   */
  async remove(sessionKey: string): Promise<SessionEnd | undefined> {
    const { store, resources, logger } = this.#dependencies;
    await resources.revokeGrants(sessionKey);
    const end = await store.sessions.remove(sessionKey);
    if (end === undefined) return undefined;
    this.#inUse.delete(sessionKey);
    this.#dependencies.live.forgetSettings(sessionKey);
    this.#changed(sessionKey, "deleted");
    // Started before the cleanup, because a message that is being processed may start the next session at any
    // time.
    const told = this.#ended(end, "deleted");
    await resources.dropPluginValues(sessionKey, "delete");
    await settledWithLog([told], logger);
    return end;
  }

  /**
   * Ends the conversation of every session in use.
   * @param reason - reason why the host stops
   * @param withinMs - time for plugins in milliseconds, for all sessions together
   */
  async close(reason: "shutdown" | "restart", withinMs: number): Promise<void> {
    const { store, logger } = this.#dependencies;
    const sessionIds = this.#inUse.clear();
    const told: Promise<void>[] = [];
    for (const sessionId of sessionIds) {
      try {
        const end = await store.sessions.end(sessionId, reason);
        if (end !== undefined) told.push(this.#ended(end, reason));
      } catch (error) {
        const { code, message } = failureRecord(error);
        logger.error(`the end of a session could not be stored: ${message}`, { code, sessionId });
      }
    }
    await waitAtMost(withinMs, settledWithLog(told, logger));
  }

  #changed(sessionKey: string, change: "created" | "updated" | "reset" | "deleted"): void {
    this.#dependencies.publisher.publish("sessions.changed", { sessionKey, change });
  }

  async #endIdle(sessionId: string): Promise<void> {
    const end = await this.#dependencies.store.sessions.end(sessionId, "idle");
    if (end !== undefined) await this.#ended(end, "idle");
  }

  #ended(end: SessionEnd, reason: SessionEndReason, next?: Session): Promise<void> {
    const { events, resources } = this.#dependencies;
    resources.stopProcesses(end.sessionId);
    return events.ended(end, reason, next);
  }
}

async function settledWithLog(told: readonly Promise<void>[], logger: Logger): Promise<void> {
  for (const outcome of await Promise.allSettled(told)) {
    if (outcome.status === "fulfilled") continue;
    const { code, message } = failureRecord(outcome.reason);
    logger.error(message, { code });
  }
}

/** Returns the last time when the host's clock showed an hour, in milliseconds since the epoch. */
function latest(hour: number, now: number): number {
  const at = new Date(now);
  at.setHours(hour, 0, 0, 0);
  if (at.getTime() > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}
