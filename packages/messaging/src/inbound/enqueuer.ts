import type { Turn } from "@openclaw/store";
import type { ApprovalReminders } from "../approvals/reminders.js";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionConfiguration } from "../sessions/configuration.js";
import type { SessionInterrupts } from "../sessions/interrupt.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { QueuedTurn } from "../sessions/queued-turn.js";
import { readTurnInput } from "../turns/input.js";
import type { TurnRunner } from "../turns/runner.js";
import type { UnstoredMessage } from "./direct.js";
import type { MessageTurns } from "./message-turns.js";
import type { MessageResponder } from "./responder.js";

/** Handling of a message that arrives during a turn, `session.queueMode`. */
type QueueMode = NonNullable<SessionConfiguration["queueMode"]>;

/** Maximum number of messages that wait in one session (TURN-056). */
const MAX_WAITING = 32;
const BUSY = "I am still busy with your earlier messages. Wait for a reply, or use /interrupt.";
const IN_PROGRESS = "Turn in progress. Use /interrupt to cancel.";

/** Place of a message in its session; the reply to a queued message follows later. */
type Place =
  | { outcome: "queued"; turn: Turn; reply: Promise<ReplyOutcome> }
  | { outcome: "refused"; text: string }
  | { outcome: "duplicate"; messageId: string };

/** Dependencies of {@link MessageEnqueuer}. */
export interface MessageEnqueuerDependencies {
  readonly turns: MessageTurns;
  readonly runner: Pick<TurnRunner, "schedule">;
  readonly live: LiveSessions;
  readonly interrupts: Pick<SessionInterrupts, "makeWay">;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
  readonly reminders: Pick<ApprovalReminders, "remind">;
  readonly responder: MessageResponder;
}

/**
 * Turns messages into turns of their sessions, according to the queue mode (TURN-056), and keeps their callers informed
 * until the reply.
 */
export class MessageEnqueuer {
  readonly #dependencies: MessageEnqueuerDependencies;
  readonly #mode: () => QueueMode;

  /**
   * @param dependencies - turns, sessions, interrupts, approval requests, reminders and replies
   * @param mode - returns the handling of a message that arrives during a turn, in sessions without a chosen one
   */
  constructor(dependencies: MessageEnqueuerDependencies, mode: () => QueueMode) {
    this.#dependencies = dependencies;
    this.#mode = mode;
  }

  /**
   * Queues a message. Until its reply, the caller sees the approval requests of the session.
   * @param unstored - the message as the inbox stores it, if it is stored with its turn
   * @returns the outcome in an object, so that the caller can continue while a queued turn runs
   * @throws what the store throws; the message's outcome is then still open
   */
  async enqueue(
    routed: RoutedMessage,
    unstored?: UnstoredMessage,
  ): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const { reminders, responder } = this.#dependencies;
    const attending = this.#attend(routed);
    try {
      const place = await this.#place(routed, unstored);
      if (place.outcome === "duplicate") {
        attending.end();
        return { outcome: { status: "duplicate", messageId: place.messageId } };
      }
      if (place.outcome === "refused") {
        const { text } = place;
        const outcome = await responder.respond(routed, { text, answeredBy: "notice" });
        attending.end();
        return { outcome };
      }
      const { runId, sessionId } = place.turn;
      routed.caller.onQueued?.(runId);
      const { agentId, sessionKey, deliveryContext } = routed.route;
      responder.announce(
        { ...routed, context: { ...routed.context, agentId, sessionKey, runId } },
        {
          outcome: "queued",
          sessionId,
          runId,
          sessionKey,
          content: routed.admitted.text,
          route: { agentId, ...deliveryContext },
        },
      );
      reminders.remind(routed);
      const outcome = place.reply
        .then((reply) => ({ ...reply, messageId: routed.row.id }))
        .finally(() => attending.end());
      return { outcome };
    } catch (error) {
      attending.end();
      throw error;
    }
  }

  /** Until its reply, the caller sees the requests and the new jobs of the session. */
  #attend(routed: RoutedMessage): { end(): void } {
    const { approvalRequests, live, responder } = this.#dependencies;
    const { caller, message: address, row, context } = routed;
    const { sessionKey } = routed.route;
    const approvals = approvalRequests.attend({
      ...{ caller, address, context, sessionKey },
      inboxId: row.id,
    });
    const attending = live.of(sessionKey).attend({
      onJobStarted: (status) => caller.onJobStarted?.(status),
      async onCredential(text, status) {
        await responder.tell(routed, text);
        caller.onRequest?.(status);
      },
    });
    return {
      end() {
        approvals.end();
        attending.end();
      },
    };
  }

  /**
   * Makes a message a turn of its session, merges it into one, or rejects it. A part of an album belongs to the turn of
   * the album while that waits or runs, whatever the queue mode is (TURN-740).
   */
  async #place(routed: RoutedMessage, unstored: UnstoredMessage | undefined): Promise<Place> {
    const { turns, live, runner } = this.#dependencies;
    const { sessionKey } = routed.route;
    // A message is stored with its turn only in a session without other turns.
    const queue = unstored === undefined ? [...live.turns(sessionKey)] : [];
    const album = queue.filter((each) => isSameAlbum(routed, each));
    const mode = album.length > 0 ? "steer" : this.#modeOf(sessionKey);
    if (mode === "reject" && queue.length > 0) return { outcome: "refused", text: IN_PROGRESS };
    const joinable = mode === "collect" ? queue : album;
    const waiting = joinable.findLast((each) => !each.isRunning && canMerge(routed, each));
    const joined = waiting && (await this.#join(routed, waiting));
    if (joined !== undefined) return joined;
    if (queue.filter(({ isRunning }) => !isRunning).length >= MAX_WAITING) {
      return { outcome: "refused", text: BUSY };
    }
    // A turn that others may join begins only when it runs.
    const hasBegun = this.#modeOf(sessionKey) !== "collect" && live.runsAtOnce(sessionKey);
    const turn = await turns.create(routed, { hasBegun, unstored });
    if ("duplicateOf" in turn) return { outcome: "duplicate", messageId: turn.duplicateOf };
    if (mode === "interrupt" && unstored === undefined) {
      await this.#dependencies.interrupts.makeWay(sessionKey);
    }
    const added = { turn, callers: [routed.caller], hasBegun };
    const queued = runner.schedule(added, routed.context);
    if (mode === "steer") {
      const running = (album.length > 0 ? album : queue).find(
        (each) => each.isRunning && canMerge(routed, each),
      );
      running?.steering.push(queued);
    }
    return { outcome: "queued", turn, reply: queued.outcome };
  }

  #modeOf(sessionKey: string): QueueMode {
    return this.#dependencies.live.settingsOf(sessionKey).queueMode ?? this.#mode();
  }

  /** Merges the message into a turn of the same sender that has not started. */
  async #join(routed: RoutedMessage, waiting: QueuedTurn): Promise<Place | undefined> {
    const turn = await this.#dependencies.turns.join(routed, waiting.turn);
    if (turn === undefined) return undefined;
    waiting.callers.push(routed.caller);
    return { outcome: "queued", turn, reply: waiting.outcome };
  }
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
