import { logRejection, type SubagentSpawn } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { Session, Subagent, Turn } from "@openclaw/store";
import { replyTarget } from "../delivery/target.js";
import { messageContext } from "../messages/context.js";
import type { MessageEvents } from "../messages/events.js";
import type { InboundMessage } from "../messages/inbound.js";
import { childSpan } from "../messages/trace.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { TurnScheduler } from "../turns/scheduler.js";

/** A subagent with its session and its queued turn, as stored in one transaction. */
export interface StoredSubagent {
  readonly subagent: Subagent;
  readonly session: Session;
  readonly turn: Turn;
}

/** Dependencies of {@link SubagentTurns}. */
export interface SubagentTurnsDependencies {
  readonly sessions: Pick<SessionLifecycle, "opened">;
  readonly scheduler: Pick<TurnScheduler, "schedule">;
  readonly events: MessageEvents;
  readonly logger: Logger;
}

/** Starts the stored turns of subagents. */
export class SubagentTurns {
  readonly #dependencies: SubagentTurnsDependencies;

  /** @param dependencies - sessions, scheduler, events and log */
  constructor(dependencies: SubagentTurnsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Schedules a subagent's turn, and notifies plugins of its session and its message.
   * @param stored - the subagent with its session and turn
   * @param message - its task
   * @param spawn - request of the parent
   * @param startedAt - time of the request on the monotonic clock in milliseconds
   */
  start(
    { turn, session }: StoredSubagent,
    message: InboundMessage,
    { depth, trace }: SubagentSpawn,
    startedAt: number,
  ): void {
    const { sessions, scheduler, events, logger } = this.#dependencies;
    const { runId, inboxId: messageId, sessionKey, sessionId, agentId } = turn;
    const context: MessageContext = {
      ...messageContext(message, messageId),
      ...(trace && childSpan({ trace })),
      callDepth: depth,
    };
    sessions.opened(session, true, context);
    const route = { agentId, ...defined(replyTarget(message)) };
    const outcome = { outcome: "queued", sessionKey, sessionId, runId, route } as const;
    events.announce(
      { messageId, startedAt },
      { ...outcome, content: message.text },
      { ...context, agentId, sessionKey, runId },
    );
    const queued = scheduler.schedule({ turn, callers: [] }, context);
    logRejection(queued.outcome, logger);
  }
}
