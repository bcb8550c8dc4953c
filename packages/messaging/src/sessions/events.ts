import { logRejection } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap, SessionContext } from "@openclaw/plugin-sdk/hooks";
import type { Session, SessionEnd, SessionEndReason, Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import { childSpan, type TraceFields } from "../messages/trace.js";

/** Dependencies of {@link SessionEvents}. */
export interface SessionEventsDependencies {
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly store: Pick<Store, "messages">;
  readonly logger: Logger;
}

/** Notifies plugins when sessions start, are reset and end (TURN-010). */
export class SessionEvents {
  readonly #dependencies: SessionEventsDependencies;

  /** @param dependencies - hooks, transcript and log */
  constructor(dependencies: SessionEventsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Fires `session_start` without waiting for its handlers.
   * @param session - opened session
   * @param start - reason, and the session ID that it follows
   * @param trace - trace of the message that opened it
   */
  started(
    session: Session,
    start: Pick<HookMap["session_start"]["event"], "reason" | "resumedFrom">,
    trace?: TraceFields,
  ): void {
    const { plugins, logger } = this.#dependencies;
    const { sessionId, sessionKey } = session;
    const context = { ...(trace && childSpan(trace)), ...contextOf(session) };
    const event = { sessionId, sessionKey, ...start };
    logRejection(plugins.hooks.observe("session_start", event, context), logger);
  }

  /**
   * Fires `before_reset` and waits for its handlers; a failure is logged.
   * @param session - session before the reset
   * @param by - origin of the reset
   */
  async resetting(session: Session, by: HookMap["before_reset"]["event"]["reason"]): Promise<void> {
    const { plugins, store, logger } = this.#dependencies;
    const context = contextOf(session);
    // Load the transcript only for plugins that read it.
    const messages = plugins.hooks.has("before_reset", context)
      ? [...(await store.messages.transcript.messages(session.sessionId)).messages]
      : [];
    try {
      await plugins.hooks.observe("before_reset", { reason: by, messages }, context);
    } catch (error) {
      const { code, message } = failureRecord(error);
      logger.error(message, { code, sessionKey: session.sessionKey });
    }
  }

  /**
   * Fires `session_end` and waits for its handlers.
   * @param end - ended session
   * @param next - session that follows it under the same key
   */
  ended(end: SessionEnd, reason: SessionEndReason, next?: Session): Promise<void> {
    const { sessionId, sessionKey, messageCount, openedAt, endedAt } = end;
    const event = defined({
      sessionId,
      sessionKey,
      messageCount,
      durationMs: endedAt - openedAt,
      reason,
      nextSessionId: next?.sessionId,
      nextSessionKey: next === undefined ? undefined : sessionKey,
    });
    return this.#dependencies.plugins.hooks.observe("session_end", event, contextOf(end));
  }
}

function contextOf(session: Pick<Session, "agentId" | "sessionKey" | "sessionId">): SessionContext {
  const { agentId, sessionKey, sessionId } = session;
  return { callDepth: 0, agentId, sessionKey, sessionId };
}
