import type { Turn } from "@openclaw/store";
import type { ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionConfiguration } from "../sessions/configuration.js";
import { interruptSession } from "../sessions/interrupt.js";
import type { QueuedTurn, SessionTurnQueues } from "../sessions/session-queues.js";
import type { SessionSettings } from "../sessions/settings.js";
import type { SubagentManager } from "../subagents/manager.js";
import { readTurnInput } from "../turns/input.js";
import type { TurnScheduler } from "../turns/scheduler.js";
import type { UnstoredMessage } from "./direct.js";
import type { DuplicateOf, MessageTurns } from "./message-turns.js";

/** Handling of a message that arrives during a turn, `session.queueMode`. */
type QueueMode = NonNullable<SessionConfiguration["queueMode"]>;

/** Maximum number of messages that wait in one session (TURN-056). */
const MAX_WAITING = 32;
const BUSY = "I am still busy with your earlier messages. Wait for a reply, or use /interrupt.";
const IN_PROGRESS = "Turn in progress. Use /interrupt to cancel.";

/** Result of queueing a message in its session; the reply to a queued message follows later. */
export type Queueing =
  | { outcome: "queued"; turn: Turn; reply: Promise<ReplyOutcome> }
  | { outcome: "refused"; text: string }
  | { outcome: "duplicate"; messageId: string };

/** Dependencies of {@link TurnQueueing}. */
export interface TurnQueueingDependencies {
  readonly turns: MessageTurns;
  readonly scheduler: Pick<TurnScheduler, "schedule">;
  readonly turnQueues: Pick<SessionTurnQueues, "of" | "runsAtOnce" | "interrupt">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
  /** Settings that were chosen for single sessions. */
  readonly settings: Pick<SessionSettings, "of">;
}

/** Turns messages into turns of their sessions, according to the queue mode (TURN-056). */
export class TurnQueueing {
  readonly #dependencies: TurnQueueingDependencies;
  readonly #mode: () => QueueMode;

  /**
   * @param dependencies - turns, their queues and subagents
   * @param mode - returns the handling of a message that arrives during a turn, in sessions without a chosen one
   */
  constructor(dependencies: TurnQueueingDependencies, mode: () => QueueMode) {
    this.#dependencies = dependencies;
    this.#mode = mode;
  }

  /**
   * Makes a message a turn of its session, merges it into one, or rejects it. A part of an album belongs to the turn of
   * the album while that waits or runs, whatever the queue mode is (TURN-740).
   * @param routed - the message
   * @throws store errors; the message then still has no outcome
   */
  async enqueue(routed: RoutedMessage): Promise<Queueing> {
    const { turns, turnQueues } = this.#dependencies;
    const { sessionKey } = routed.route;
    const queue = turnQueues.of(sessionKey);
    const album = queue.filter((each) => isSameAlbum(routed, each));
    const mode = album.length > 0 ? "steer" : this.#modeOf(sessionKey);
    if (mode === "reject" && queue.length > 0) {
      return { outcome: "refused", text: IN_PROGRESS };
    }
    const joinable = mode === "collect" ? queue : album;
    const joined = await this.#join(routed, joinable);
    if (joined !== undefined) return joined;
    if (queue.filter(({ isRunning }) => !isRunning).length >= MAX_WAITING) {
      return { outcome: "refused", text: BUSY };
    }
    const hasBegun = this.#beginsAtOnce(sessionKey);
    const turn = await turns.create(routed, { hasBegun });
    if ("duplicateOf" in turn) return duplicate(turn);
    if (mode === "interrupt") await interruptSession(sessionKey, this.#dependencies);
    const { scheduler } = this.#dependencies;
    const scheduled = { turn, callers: [routed.caller], hasBegun };
    const queued = scheduler.schedule(scheduled, routed.context);
    if (mode === "steer") {
      const running = (album.length > 0 ? album : queue).find(
        (each) => each.isRunning && canMerge(routed, each),
      );
      running?.steering.push(queued);
    }
    return { outcome: "queued", turn, reply: queued.outcome };
  }

  /**
   * Makes a message that is not stored yet a turn of its session, in which no other turn is queued.
   * @param routed - the message
   * @param unstored - the message as the inbox stores it
   * @throws what the store throws; nothing of the message is stored then
   */
  async enqueueDirectly(routed: RoutedMessage, unstored: UnstoredMessage): Promise<Queueing> {
    const { turns, scheduler } = this.#dependencies;
    const hasBegun = this.#beginsAtOnce(routed.route.sessionKey);
    const turn = await turns.create(routed, { hasBegun, unstored });
    if ("duplicateOf" in turn) return duplicate(turn);
    const scheduled = { turn, callers: [routed.caller], hasBegun };
    const queued = scheduler.schedule(scheduled, routed.context);
    return { outcome: "queued", turn, reply: queued.outcome };
  }

  /** A turn that others may join begins only when it runs. */
  #beginsAtOnce(sessionKey: string): boolean {
    const mayBeJoined = this.#modeOf(sessionKey) === "collect";
    return !mayBeJoined && this.#dependencies.turnQueues.runsAtOnce(sessionKey);
  }

  #modeOf(sessionKey: string): QueueMode {
    return this.#dependencies.settings.of(sessionKey).queueMode ?? this.#mode();
  }

  /** Merges the message into a turn of the same sender that has not started. */
  async #join(routed: RoutedMessage, queue: readonly QueuedTurn[]): Promise<Queueing | undefined> {
    const waiting = queue.findLast((each) => !each.isRunning && canMerge(routed, each));
    if (waiting === undefined) return undefined;
    const turn = await this.#dependencies.turns.join(routed, waiting.turn);
    if (turn === undefined) return undefined;
    waiting.callers.push(routed.caller);
    return { outcome: "queued", turn, reply: waiting.outcome };
  }
}

function duplicate({ duplicateOf }: DuplicateOf): Queueing {
  return { outcome: "duplicate", messageId: duplicateOf };
}

function isSameAlbum(routed: RoutedMessage, queued: QueuedTurn): boolean {
  const { albumId } = routed.admitted;
  if (albumId === undefined || !canMerge(routed, queued)) return false;
  return readTurnInput(queued.turn).albumId === albumId;
}

/** Only messages from the same sender are merged; otherwise one sender would act with another's rights. */
function canMerge({ admitted }: RoutedMessage, { turn }: QueuedTurn): boolean {
  if (turn.payload === undefined) return false;
  const input = readTurnInput(turn);
  const isOwnRequest = [admitted, input].some(({ model, extraInstructions, history, client }) =>
    [model, extraInstructions, history, client].some((part) => part !== undefined),
  );
  return (
    !isOwnRequest &&
    input.channel === admitted.channel &&
    input.conversationId === admitted.conversationId &&
    (input.accountId ?? "default") === (admitted.accountId ?? "default") &&
    input.senderId === admitted.senderId &&
    input.senderIsOwner === admitted.senderIsOwner
  );
}
