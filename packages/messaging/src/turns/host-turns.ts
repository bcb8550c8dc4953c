import { defined, orderedId } from "@openclaw/foundation";
import type { HookTrace, MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { Session, Store, Turn } from "@openclaw/store";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import { type FindSurface, recoveredCaller } from "../delivery/recovered-caller.js";
import { replyTarget } from "../delivery/target.js";
import { messageContext } from "../messages/context.js";
import type { MessageEvents } from "../messages/events.js";
import type { Caller, InboundMessage } from "../messages/inbound.js";
import { inboxMessage } from "../messages/inbox.js";
import { childSpan } from "../messages/trace.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { QueuedTurn } from "../sessions/queued-turn.js";
import { writeTurnInput } from "./input.js";
import type { TurnRunner } from "./runner.js";

/** A turn that the host starts by itself, in a separate session. */
export interface HostTurn {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly trigger: "subagent" | "job" | "cron" | "heartbeat" | "user";
  /** Task of the turn, as a message of the person for whom it works, so that it gains no other rights. */
  readonly message: InboundMessage;
  readonly label?: string | undefined;
  /** `provider/model` of the session; that of the agent when absent. */
  readonly model?: string | undefined;
}

/** A stored turn of the host. */
export interface StoredHostTurn {
  readonly turn: Turn;
  readonly session: Session;
  /** True when the session was opened with it. */
  readonly isFirst: boolean;
}

/** Origin of a turn of the host. */
export interface HostTurnStart {
  /** 1 for work that a turn started, one more for each level. */
  readonly depth: number;
  readonly trace?: HookTrace | undefined;
  /** Time of the request on the monotonic clock in milliseconds. */
  readonly startedAt: number;
}

/** Dependencies of {@link HostTurns}. */
export interface HostTurnsDependencies {
  readonly sessions: Pick<SessionLifecycle, "opened">;
  readonly runner: Pick<TurnRunner, "schedule">;
  readonly events: MessageEvents;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
  readonly findSurface: FindSurface;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Turns of subagents, jobs and routines, which take the path of every other turn from the queue on. */
export class HostTurns {
  readonly #dependencies: HostTurnsDependencies;

  /** @param dependencies - sessions, runner, events, approval requests, channels and clock */
  constructor(dependencies: HostTurnsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a turn with its message and its session; call it in the transaction that stores what the turn is for.
   * @param started - session and task
   */
  async store(
    unit: Pick<Store, "messages" | "sessions" | "turns">,
    { sessionKey, agentId, trigger, message, label, model }: HostTurn,
  ): Promise<StoredHostTurn> {
    const row = inboxMessage(message, this.#dependencies.now());
    const runId = orderedId(row.receivedAt);
    await unit.messages.inbox.accept(row);
    const { channel } = message;
    const opening = defined({ agentId, channel, label, model });
    const { session, created: isFirst } = await unit.sessions.open(sessionKey, opening);
    await unit.messages.inbox.settle(row.id, { state: "queued", sessionKey, runId });
    const turn = await unit.turns.enqueue({
      ...{ runId, sessionKey, sessionId: session.sessionId, agentId, inboxId: row.id, trigger },
      payload: writeTurnInput(message),
    });
    return { turn, session, isFirst };
  }

  /**
   * Notifies plugins of a session that the host opened for a message (TURN-010).
   * @param session - the session, as it is stored
   */
  sessionOpened(session: Session): void {
    this.#dependencies.sessions.opened(session, true);
  }

  /**
   * Schedules a stored turn, and notifies plugins of its session and its message.
   * @param stored - the turn
   * @param message - its task
   * @param start - depth, trace and time
   * @param observer - receives its progress
   */
  start(
    { turn, session, isFirst }: StoredHostTurn,
    message: InboundMessage,
    { depth, trace, startedAt }: HostTurnStart,
    observer?: Pick<Caller, "onEvent">,
  ): QueuedTurn {
    const { sessions, runner, events } = this.#dependencies;
    const { runId, inboxId: messageId, sessionKey, sessionId, agentId } = turn;
    const context: MessageContext = {
      ...messageContext(message, messageId),
      ...(trace && childSpan({ trace })),
      callDepth: depth,
    };
    sessions.opened(session, isFirst, context);
    const route = { agentId, ...defined(replyTarget(message)) };
    const outcome = { outcome: "queued", sessionKey, sessionId, runId, route } as const;
    events.announce(
      { messageId, startedAt },
      { ...outcome, content: message.text },
      { ...context, agentId, sessionKey, runId },
    );
    if (observer === undefined) return runner.schedule({ turn, callers: [] }, context);
    return this.#scheduleAttended(turn, message, context, observer);
  }

  /** The conversation of the task is asked for the approvals of the turn, if a channel serves it (JOB-015). */
  #scheduleAttended(
    turn: Turn,
    address: InboundMessage,
    context: MessageContext,
    observer: Pick<Caller, "onEvent">,
  ): QueuedTurn {
    const { runner, approvalRequests, findSurface } = this.#dependencies;
    const { inboxId, sessionKey } = turn;
    const caller = { ...recoveredCaller(address, { id: inboxId }, findSurface), ...observer };
    const attending = approvalRequests.attend({ caller, sessionKey, address, inboxId, context });
    const queued = runner.schedule({ turn, callers: [caller] }, context);
    const end = () => attending.end();
    queued.outcome.then(end, end);
    return queued;
  }
}
