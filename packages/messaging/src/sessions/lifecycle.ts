import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { BackgroundProcesses } from "@openclaw/core-tools";
import { waitAtMost } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap, SessionContext } from "@openclaw/plugin-sdk/hooks";
import type { Session, SessionEnd, SessionEndReason, Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import { childSpan, type TraceFields } from "../messages/trace.js";
import type { SessionConfiguration } from "./configuration.js";
import type { SessionStates } from "./states.js";

const MINUTE_MS = 60_000;

/** Sessions from their first message to their end, and the hooks that tell of both (TURN-010). */
export interface SessionLife {
  /**
   * Gives a session that has outlived its time a fresh incarnation; any other is left as it is.
   * @param sessionKey - of the session that is about to be used
   */
  renewWhenDue(sessionKey: string): Promise<void>;
  /**
   * Notes that a session is in use. Of one that was just created, plugins are told.
   * @param session - as it was opened, committed
   * @param created - whether it was created with it
   * @param trace - of the message that opened it
   */
  opened(session: Session, created: boolean, trace: TraceFields): void;
  /**
   * Ends a session's incarnation and gives it a fresh one; nothing happens to a session that is not there.
   * @param sessionKey - of the session, in which no turn runs
   * @param asked - who asked for it, and what the end is called
   * @returns the session with its fresh incarnation
   */
  reset(sessionKey: string, asked: ResetRequest): Promise<Session | undefined>;
  /**
   * Removes a session with all that belongs to it, and waits until plugins were told of its end.
   * @param sessionKey - of the session, in which no turn runs
   * @returns what ended; undefined when there is no such session
   * @throws RowStateError when a turn of it has not ended
   */
  remove(sessionKey: string): Promise<SessionEnd | undefined>;
  /**
   * Ends the incarnation of every session in use.
   * @param reason - that the host ends
   * @param withinMs - how long plugins are waited for, all sessions together
   */
  close(reason: "shutdown" | "restart", withinMs: number): Promise<void>;
}

/** Why a session is reset. */
export interface ResetRequest {
  readonly by: HookMap["before_reset"]["event"]["reason"];
  readonly reason: SessionEndReason;
}

/** What the life of sessions needs of the host. */
export interface SessionLifeHost {
  readonly store: Store;
  readonly plugins: PluginRuntime;
  /** What plugins keep with sessions. */
  readonly sessionStates: SessionStates;
  /** What tools left running in the background of sessions. */
  readonly processes: Pick<BackgroundProcesses, "endSession">;
  /** What was granted for a session ends with it (APPR-023). */
  readonly approvals: Pick<ApprovalBroker, "revoke">;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Makes the life of a host's sessions.
 * @param host - store, plugins, log and clock
 * @param expiry - when a conversation ends by itself, `session.reset`
 */
export function createSessionLife(
  host: SessionLifeHost,
  expiry: NonNullable<SessionConfiguration["reset"]> = {},
): SessionLife {
  const { store, plugins, logger } = host;
  /** Session ids in use since the start of the process, by key. */
  const inUse = new Map<string, string>();

  function tellEnd(end: SessionEnd, reason: SessionEndReason, next?: Session): Promise<void> {
    const { sessionId, sessionKey, agentId, messageCount, openedAt, endedAt } = end;
    // Nobody waits: a process that does not listen takes seconds to end.
    void host.processes.endSession(sessionId);
    const event = {
      sessionId,
      sessionKey,
      messageCount,
      durationMs: endedAt - openedAt,
      reason,
      ...(next === undefined ? {} : { nextSessionId: next.sessionId, nextSessionKey: sessionKey }),
    };
    return plugins.hooks.observe(
      "session_end",
      event,
      contextOf({ agentId, sessionKey, sessionId }),
    );
  }

  function tellStart(
    { sessionId, sessionKey }: Session,
    start: Pick<HookMap["session_start"]["event"], "reason" | "resumedFrom">,
    context: SessionContext,
  ): void {
    const event = { sessionId, sessionKey, ...start };
    logRejection(plugins.hooks.observe("session_start", event, context), logger);
  }

  async function tellReset(session: Session, by: ResetRequest["by"]): Promise<void> {
    const context = contextOf(session);
    // The transcript is read only for plugins that look at it.
    const messages = plugins.hooks.has("before_reset", context)
      ? (await store.transcript.load(session.sessionId)).map(({ message }) => message)
      : [];
    try {
      await plugins.hooks.observe("before_reset", { reason: by, messages }, context);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.error(message, { code, sessionKey: session.sessionKey });
    }
  }

  /** A plugin whose values cannot be dropped does not keep the conversation from beginning anew. */
  async function cleanUp(sessionKey: string, reason: "reset" | "delete"): Promise<void> {
    try {
      await host.sessionStates.end(sessionKey, reason, plugins);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `what plugins kept with a session could not be dropped: ${message}`;
      logger.error(problem, { code, sessionKey });
    }
  }

  async function reset(
    sessionKey: string,
    { by, reason }: ResetRequest,
  ): Promise<Session | undefined> {
    const before = await store.sessions.get(sessionKey);
    if (before === undefined) return undefined;
    await tellReset(before, by);
    await cleanUp(sessionKey, "reset");
    await host.approvals.revoke({ endedSession: sessionKey });
    const { end, after } = await store.transaction(async (unit) => ({
      end: await unit.sessions.end(before.sessionId, reason),
      after: await unit.sessions.renew(sessionKey),
    }));
    inUse.set(sessionKey, after.sessionId);
    if (end !== undefined) logRejection(tellEnd(end, reason, after), logger);
    const start = {
      reason: reason === "new" ? "new" : "reset",
      resumedFrom: before.sessionId,
    } as const;
    tellStart(after, start, contextOf(after));
    return after;
  }

  return {
    reset,

    async remove(sessionKey) {
      await host.approvals.revoke({ endedSession: sessionKey });
      const end = await store.sessions.remove(sessionKey);
      if (end === undefined) return undefined;
      inUse.delete(sessionKey);
      // At once: a message that is on its way may begin the next one any moment.
      const told = tellEnd(end, "deleted");
      await cleanUp(sessionKey, "delete");
      await settledWithLog([told], logger);
      return end;
    },

    async renewWhenDue(sessionKey) {
      if (expiry.idleMinutes === undefined && expiry.atHour === undefined) return;
      const session = await store.sessions.get(sessionKey);
      if (session === undefined || session.messageCount === 0) return;
      const now = host.now();
      const { idleMinutes = Number.POSITIVE_INFINITY, atHour } = expiry;
      const isPastHour = atHour !== undefined && session.updatedAt < latest(atHour, now);
      if (isPastHour) await reset(sessionKey, { by: "daily", reason: "daily" });
      else if (now - session.updatedAt >= idleMinutes * MINUTE_MS) {
        await reset(sessionKey, { by: "idle", reason: "idle" });
      }
    },

    opened(session, created, trace) {
      inUse.set(session.sessionKey, session.sessionId);
      if (created)
        tellStart(session, { reason: "new" }, { ...childSpan(trace), ...contextOf(session) });
    },

    async close(reason, withinMs) {
      const sessionIds = [...inUse.values()];
      inUse.clear();
      const told: Promise<void>[] = [];
      for (const sessionId of sessionIds) {
        try {
          const end = await store.sessions.end(sessionId, reason);
          if (end !== undefined) told.push(tellEnd(end, reason));
        } catch (error) {
          const { code, message } = failureRecord(error);
          logger.error(`the end of a session could not be stored: ${message}`, { code, sessionId });
        }
      }
      await waitAtMost(withinMs, settledWithLog(told, logger));
    },
  };
}

async function settledWithLog(told: readonly Promise<void>[], logger: Logger): Promise<void> {
  for (const outcome of await Promise.allSettled(told)) {
    if (outcome.status === "fulfilled") continue;
    const { code, message } = failureRecord(outcome.reason);
    logger.error(message, { code });
  }
}

/** The last time the host's clock showed an hour, in milliseconds since the epoch. */
function latest(hour: number, now: number): number {
  const at = new Date(now);
  at.setHours(hour, 0, 0, 0);
  if (at.getTime() > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}

function contextOf(session: Pick<Session, "agentId" | "sessionKey" | "sessionId">): SessionContext {
  const { agentId, sessionKey, sessionId } = session;
  return { callDepth: 0, agentId, sessionKey, sessionId };
}
