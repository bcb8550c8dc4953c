import type { FinalOutcome, TurnOutcome } from "@openclaw/agent";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow, Turn } from "@openclaw/store";
import type { Delivery } from "../delivery/chunk.js";
import type { ReplyOccasion } from "../delivery/occasion.js";
import type { ReplyDelivery } from "../delivery/reply.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import type { QueuedTurn } from "../sessions/session-queues.js";
import type { SessionSettings } from "../sessions/settings.js";
import type { BackgroundPace } from "./background-pace.js";
import { showDetails } from "./details.js";
import type { TurnEndings } from "./ending.js";
import type { ConcludeTurn, TurnExecution } from "./execution.js";
import type { TurnInput } from "./input.js";

/** Dependencies of {@link TurnRunner}. */
export interface TurnRunnerDependencies {
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
  /** Settings that were chosen for single sessions. */
  readonly settings: Pick<SessionSettings, "of">;
  readonly pace: Pick<BackgroundPace, "follow">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Runs queued turns to their ends. */
export class TurnRunner {
  readonly #dependencies: TurnRunnerDependencies;
  readonly #signal: AbortSignal;

  /**
   * @param dependencies - execution, endings, delivery, subagents, events, settings, log and clock
   * @param signal - aborts when the host stops
   */
  constructor(dependencies: TurnRunnerDependencies, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#signal = signal;
  }

  /**
   * Runs a turn to its end, from its beginning or from its last step in an earlier process, stores its reply
   * together with the end, and delivers the reply. Never throws; a failure is the turn's outcome. A turn
   * whose callers have gone before it starts does not run, and a turn that the host's stop suspends continues
   * after the next start.
   * @param queued - the turn in its queue, with the receivers of its reply
   * @param context - context of the hooks of its message
   */
  async run(queued: QueuedTurn, context: MessageContext): Promise<ReplyOutcome> {
    const outcome = await this.#executeTurn(queued, context);
    const { trigger, runId } = queued.turn;
    if (trigger === "subagent") await this.#dependencies.subagents.settle(runId);
    return outcome;
  }

  /**
   * Publishes the end of a message that another turn of its session answered (TURN-056).
   * @param turn - turn of the message, which did not run
   * @param outcome - outcome of the other turn
   */
  joined({ inboxId: messageId, sessionKey }: Turn, outcome: ReplyOutcome): void {
    if (outcome.status === "duplicate") return;
    this.#dependencies.events.ended(sessionKey, { ...outcome, messageId });
  }

  async #executeTurn(queued: QueuedTurn, context: MessageContext): Promise<ReplyOutcome> {
    const { execution, endings, replies, subagents, settings, pace, logger, now } =
      this.#dependencies;
    const { turn: stored, callers } = queued;
    const { runId, inboxId: messageId, sessionKey } = stored;
    using _trace = endings.trace(stored);
    const interrupted = { status: "interrupted", messageId, runId } as const;
    try {
      if (this.#signal.aborted) return interrupted;
      if (callers.length > 0 && callers.every(({ signal }) => signal?.aborted === true)) {
        await endings.interrupt(runId, "caller-gone");
        return this.#ended(sessionKey, interrupted);
      }
      if (queued.signal.aborted) {
        await endings.interrupt(runId, "interrupted");
        return this.#ended(sessionKey, interrupted);
      }
      pace.follow(queued);
      let reply: OutboxRow | undefined;
      const conclude: ConcludeTurn = async (turn, input, outcome, write) => {
        if (outcome.status === "interrupted") await subagents.stopSubagentsOf(sessionKey);
        const isReadByCaller = replies.isReadByCaller({
          context: { ...context, ...hookFields(turn) },
          caller: lastCaller(callers),
        });
        const failureText = lastCaller(callers).surface && failureReply(outcome);
        reply = await endings.store(turn, input, outcome, { write, isReadByCaller, failureText });
      };
      const { turn, input, outcome } = await execution.execute(queued, conclude);
      if (outcome.status === "paused" || outcome.status === "suspended") return interrupted;
      const delivery =
        reply === undefined
          ? undefined
          : await this.#deliver(reply, context, { turn, queued, input, outcome });
      if (settings.of(sessionKey).verbose === true) {
        showDetails(turn, outcome, { callers, logger, now: now() });
      }
      return this.#ended(sessionKey, endings.replyOutcome(turn, outcome, delivery));
    } catch (error) {
      return this.#ended(sessionKey, await endings.fail(stored, failureRecord(error)));
    }
  }

  /** Publishes an outcome that is stored. */
  #ended(sessionKey: string, outcome: TurnReply): TurnReply {
    this.#dependencies.events.ended(sessionKey, outcome);
    return outcome;
  }

  /**
   * Delivers the reply to the last of the callers. A surface may be slow or try again later, so other turns use the
   * place of this one meanwhile.
   */
  async #deliver(
    reply: OutboxRow,
    context: MessageContext,
    { turn, queued, input, outcome }: EndedTurn,
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
    return await (caller.surface === undefined ? deliver() : queued.pause(deliver));
  }
}

function hookFields({ agentId, sessionKey, sessionId, runId }: Turn) {
  return { agentId, sessionKey, sessionId, runId };
}

/** Returns the receiver of a reply; messages that were merged into a turn have their callers at the end. */
function lastCaller(callers: readonly Caller[]): ReplyOccasion["caller"] {
  return callers.at(-1) ?? { hasGone: true };
}

/** Outcome of a message that became a turn. */
type TurnReply = Exclude<ReplyOutcome, { status: "duplicate" }>;

/** Text for the sender of a message whose turn failed; undefined for a turn that did not fail. */
function failureReply(outcome: FinalOutcome): string | undefined {
  if (outcome.status !== "failed") return undefined;
  const { message, code } = outcome.error;
  return `The request failed: ${message} (${code})`;
}

/** A turn that has ended, and its queue. */
interface EndedTurn {
  readonly turn: Turn;
  readonly queued: QueuedTurn;
  readonly input: TurnInput;
  readonly outcome: TurnOutcome;
}
