import type { FinalOutcome, TurnOutcome, TurnWrite } from "@openclaw/agent";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow, Turn } from "@openclaw/store";
import { StaleFenceError } from "@openclaw/store/errors";
import type { Delivery } from "../delivery/chunk.js";
import type { ReplyOccasion } from "../delivery/occasion.js";
import type { ReplyDelivery } from "../delivery/reply.js";
import { TurnTakenOverError } from "../errors.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { NewTurn, QueuedTurn } from "../sessions/queued-turn.js";
import type { BackgroundPace } from "./background-pace.js";
import { showDetails } from "./details.js";
import type { TurnEndings } from "./ending.js";
import type { ConcludeTurn, TurnExecution } from "./execution.js";
import type { TurnInput } from "./input.js";

/** Dependencies of {@link TurnRunner}. */
export interface TurnRunnerDependencies {
  readonly live: Pick<LiveSessions, "schedule" | "settingsOf">;
  readonly execution: Pick<TurnExecution, "execute">;
  readonly endings: TurnEndings;
  readonly replies: Pick<ReplyDelivery, "deliver" | "isReadByCaller">;
  readonly subagents: {
    /** Reports the end of a subagent's turn to its parent. */
    settle(runId: string): Promise<void>;
    /** Stops every subagent of a session. */
    stopSubagentsOf(sessionKey: string): Promise<number>;
  };
  readonly events: Pick<ConversationEvents, "ended">;
  readonly pace: Pick<BackgroundPace, "follow">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Runs stored turns to their ends, in the order of their sessions. */
export class TurnRunner {
  readonly #dependencies: TurnRunnerDependencies;
  readonly #signal: AbortSignal;

  /**
   * @param dependencies - sessions, execution, endings, delivery, subagents, events, log and clock
   * @param signal - aborts when the host stops
   */
  constructor(dependencies: TurnRunnerDependencies, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#signal = signal;
  }

  /**
   * Queues a turn and runs it after the turns before it.
   * @param added - the stored turn, not ended, and the receivers of its reply
   * @param context - context of the hooks of its message
   */
  schedule(added: NewTurn, context: MessageContext): QueuedTurn {
    const { live } = this.#dependencies;
    return live.schedule(added, {
      run: (queued) => this.#runQueuedTurn(queued, context),
      ended: (queued, outcome) => this.#continue(queued, outcome, context),
    });
  }

  /**
   * Runs a turn to its end, from its beginning or from its last step in an earlier process, stores its reply
   * together with the end, and delivers the reply. Never throws; a failure is the turn's outcome. A turn
   * whose callers have gone before it starts does not run, and a turn that the host's stop suspends continues
   * after the next start. A turn whose message another one included does not run either (TURN-056).
   * @param queued - the turn in its queue, with the receivers of its reply
   * @param context - context of the hooks of its message
   */
  async #runQueuedTurn(queued: QueuedTurn, context: MessageContext): Promise<ReplyOutcome> {
    const { execution, endings, subagents, live, pace, logger, now } = this.#dependencies;
    const { turn: stored, callers, answeredBy } = queued;
    const { runId, inboxId: messageId, sessionKey, trigger } = stored;
    if (answeredBy !== undefined) {
      const outcome = await answeredBy.outcome;
      if (outcome.status !== "duplicate") this.#ended(sessionKey, { ...outcome, messageId });
      return outcome;
    }
    using _trace = endings.trace(stored);
    const interrupted = { status: "interrupted", messageId, runId } as const;
    try {
      if (this.#signal.aborted) return interrupted;
      const gone = reasonNotToRun(queued);
      if (gone !== undefined) {
        await endings.interrupt(runId, gone);
        return this.#ended(sessionKey, interrupted);
      }
      pace.follow(queued);
      let reply: OutboxRow | undefined;
      const conclude: ConcludeTurn = async (turn, input, outcome, write) => {
        if (outcome.status === "interrupted") await subagents.stopSubagentsOf(sessionKey);
        reply = await this.#store({ turn, queued, input }, outcome, write, context);
      };
      const { turn, input, outcome } = await execution.execute(queued, conclude);
      if (outcome.status === "paused" || outcome.status === "suspended") return interrupted;
      const delivery =
        reply && (await this.#deliver(reply, context, { turn, queued, input }, outcome));
      if (live.settingsOf(sessionKey).verbose === true) {
        showDetails(turn, outcome, { callers, logger, now: now() });
      }
      return this.#ended(sessionKey, endings.replyOutcome(turn, outcome, delivery));
    } catch (error) {
      if (StaleFenceError.isInstance(error)) queued.lose();
      if (queued.isLost || TurnTakenOverError.isInstance(error)) return interrupted;
      return this.#ended(sessionKey, await endings.fail(stored, failureRecord(error)));
    } finally {
      if (trigger === "subagent" && !queued.isLost) await subagents.settle(runId);
    }
  }

  /** Continues a turn from its last step when this node has its session again, unless another one continues it. */
  async #continue(
    { turn: stored, callers, isLost }: QueuedTurn,
    outcome: ReplyOutcome,
    context: MessageContext,
  ): Promise<ReplyOutcome> {
    if (!isLost || this.#signal.aborted) return outcome;
    const { runId, sessionKey } = stored;
    const problem =
      "a turn stopped, because this node lost its session; it continues from its last step";
    this.#dependencies.logger.warn(problem, { runId, sessionKey });
    const turn: Turn = { ...stored, state: "running" };
    return await this.schedule({ turn, callers, isTakenOver: true }, context).outcome;
  }

  /** Publishes an outcome that is stored. */
  #ended(sessionKey: string, outcome: EndedOutcome): EndedOutcome {
    this.#dependencies.events.ended(sessionKey, outcome);
    return outcome;
  }

  /** Stores the end of a turn with its reply. */
  async #store(
    { turn, queued, input }: EndedTurn,
    outcome: FinalOutcome,
    write: TurnWrite<void>,
    context: MessageContext,
  ): Promise<OutboxRow | undefined> {
    const { replies, endings } = this.#dependencies;
    const caller = lastCaller(queued.callers);
    const isReadByCaller = replies.isReadByCaller({
      context: { ...context, ...hookFields(turn) },
      caller,
    });
    const failureText = caller.surface && failureReply(outcome);
    return await endings.store(turn, input, outcome, { write, isReadByCaller, failureText });
  }

  /**
   * Delivers the reply to the last of the callers. A surface may be slow or try again later, so other turns use the
   * place of this one meanwhile.
   */
  async #deliver(
    reply: OutboxRow,
    context: MessageContext,
    { turn, queued, input }: EndedTurn,
    outcome: TurnOutcome,
  ): Promise<Delivery> {
    const caller = lastCaller(queued.callers);
    const deliver = () =>
      this.#dependencies.replies.deliver({
        reply,
        context: { ...context, ...hookFields(turn) },
        inbound: outcome.status === "blocked" ? input : { ...input, body: input.text },
        isAnswer: outcome.status === "completed",
        caller,
      });
    return await (caller.surface === undefined
      ? deliver()
      : queued.pause(deliver, { keepsSession: true }));
  }
}

/** A turn that has ended, and its queue. */
interface EndedTurn {
  readonly turn: Turn;
  readonly queued: QueuedTurn;
  readonly input: TurnInput;
}

/** Outcome of a message that became a turn. */
type EndedOutcome = Exclude<ReplyOutcome, { status: "duplicate" }>;

/** Returns why a turn must not begin; undefined for one that may. */
function reasonNotToRun({
  callers,
  signal,
}: QueuedTurn): "caller-gone" | "interrupted" | undefined {
  const haveGone = callers.length > 0 && callers.every((each) => each.signal?.aborted === true);
  if (haveGone) return "caller-gone";
  return signal.aborted ? "interrupted" : undefined;
}

function hookFields({ agentId, sessionKey, sessionId, runId }: Turn) {
  return { agentId, sessionKey, sessionId, runId };
}

/** Returns the receiver of a reply; messages that were merged into a turn have their callers at the end. */
function lastCaller(callers: readonly Caller[]): ReplyOccasion["caller"] {
  return callers.at(-1) ?? { hasGone: true };
}

/** Text for the sender of a message whose turn failed; undefined for a turn that did not fail. */
function failureReply(outcome: FinalOutcome): string | undefined {
  if (outcome.status !== "failed") return undefined;
  const { message, code } = outcome.error;
  return `The request failed: ${message} (${code})`;
}
