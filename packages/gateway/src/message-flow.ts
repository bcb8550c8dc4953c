import { randomUUID } from "node:crypto";
import { unawaited } from "@openclaw/agent";
import type { HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow, InboundMessage as StoredMessage, Turn } from "@openclaw/store";
import { MessageRefusedError } from "./errors.js";
import { failureRecord } from "./failure-record.js";
import type { Caller, InboundMessage, ReplyOutcome } from "./inbound-message.js";
import { admitMessage } from "./message-admission.js";
import { messageContext } from "./message-context.js";
import type { MessageHost } from "./message-host.js";
import { recoverMessages } from "./message-recovery.js";
import { writeTurnInput } from "./turn-input.js";
import { createTurnQueue } from "./turn-queue.js";
import { runQueuedTurn } from "./turn-run.js";

/** The one way in: a message is stored, admitted, queued as a turn, and its reply delivered. */
export interface MessageFlow {
  /**
   * Takes a message in. It is stored before anything else happens to it; what fails after that is its
   * outcome and no exception. Messages of one session are admitted and answered in their order.
   * @param message - as a surface hands it over
   * @param caller - who waits for the reply
   * @throws MessageRefusedError when the text is empty or the host is stopping
   * @throws what the store throws when the message could not be stored
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  /**
   * Takes up what an earlier process left: queued turns run; turns that were running end as
   * interrupted, since their tools may have had effects; replies that nobody waits for are closed.
   * To be called before the first `receive`, which it would take for a message of an earlier process.
   * @returns how many turns run again
   */
  recover(): Promise<number>;
  /** Takes no more messages in, and resolves when none is on its way any more. */
  close(): Promise<void>;
}

/** A stored message whose outcome is open. */
interface Arrival {
  readonly message: InboundMessage;
  readonly row: InboundRow;
  readonly context: MessageContext;
  /** Reading of the monotonic clock, in milliseconds. */
  readonly startedAt: number;
}

/**
 * Makes the flow of messages through a host.
 * @param host - store, plugins and services
 */
export function createMessageFlow(host: MessageHost): MessageFlow {
  const { store, plugins, logger } = host;
  /** Hooks may take their time; without a queue a later message of a session could overtake. */
  const arrivals = createTurnQueue(Number.POSITIVE_INFINITY);
  const underway = new Set<Promise<unknown>>();
  let closed = false;

  async function takeIn(message: InboundMessage, caller: Caller): Promise<ReplyOutcome> {
    if (closed) {
      throw new MessageRefusedError(
        "stopping",
        "the host is stopping; send the message again later",
      );
    }
    if (message.text.trim() === "") {
      throw new MessageRefusedError(
        "empty",
        "the message has no text; write some and send it again",
      );
    }
    const startedAt = performance.now();
    const { row, duplicate } = await store.inbox.accept(storedForm(message, host.services.now()));
    if (duplicate) return { status: "duplicate", messageId: row.id };
    const arrival = { message, row, context: messageContext(message, row.id), startedAt };
    try {
      caller.onStored?.(row.id);
      const { outcome } = await arrivals.run(message.sessionKey, () => route(arrival, caller));
      return await outcome;
    } catch (error) {
      return failMessage(arrival, error);
    }
  }

  /** The outcome is wrapped: a queued turn is waited for outside the queue of arrivals. */
  async function route(
    arrival: Arrival,
    caller: Caller,
  ): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const { message, row, context } = arrival;
    const admission = await admitMessage(message, row, context, host);
    switch (admission.outcome) {
      case "cancelled": {
        announce(arrival, { outcome: "cancelled" });
        const { text, reason } = admission;
        return { outcome: { status: "withheld", messageId: row.id, text, reason } };
      }
      case "claimed":
        announce(arrival, { outcome: "claimed" });
        return { outcome: { status: "answered", messageId: row.id, text: admission.text } };
      case "admitted": {
        const turn = await queueTurn(admission.message, arrival);
        const run = () => runQueuedTurn(turn, context, caller, host);
        return { outcome: host.queue.run(turn.sessionKey, run) };
      }
    }
  }

  /** The message's outcome and the turn that answers it are one transaction. */
  async function queueTurn(message: InboundMessage, arrival: Arrival): Promise<Turn> {
    const { sessionKey, agentId, channel } = message;
    const { id: inboxId } = arrival.row;
    const runId = randomUUID();
    const { turn, created } = await store.transaction(async (unit) => {
      const opened = await unit.sessions.open(sessionKey, { agentId, channel });
      await unit.inbox.settle(inboxId, { state: "queued", sessionKey, runId });
      const { sessionId } = opened.session;
      const trigger = channel === "api" ? "api" : "user";
      const payload = writeTurnInput(message);
      const queued = { runId, sessionKey, sessionId, agentId, inboxId, trigger, payload } as const;
      return { turn: await unit.turns.enqueue(queued), created: opened.created };
    });
    const { sessionId } = turn;
    if (created) {
      const about = { ...arrival.context, agentId, sessionKey, sessionId };
      unawaited(
        plugins.hooks.observe("session_start", { sessionId, sessionKey, reason: "new" }, about),
        logger,
      );
    }
    announce(arrival, { outcome: "queued", sessionKey, sessionId, runId });
    return turn;
  }

  /** A message that was stored always gets an outcome; if even that fails, at the next start. */
  async function failMessage(arrival: Arrival, cause: unknown): Promise<ReplyOutcome> {
    const { id: messageId } = arrival.row;
    const error = failureRecord(cause);
    logger.error(`a message failed before its turn: ${error.message}`, {
      code: error.code,
      messageId,
    });
    try {
      await store.inbox.settle(messageId, { state: "failed", error });
      announce(arrival, { outcome: "failed", error: error.message });
    } catch (unsettled) {
      const { code, message } = failureRecord(unsettled);
      logger.error(`the outcome of a message could not be stored: ${message}`, { code, messageId });
    }
    return { status: "failed", messageId, error: { ...error, retryable: false } };
  }

  function announce({ row, context, startedAt }: Arrival, outcome: MessageOutcome): void {
    const durationMs = Math.round(performance.now() - startedAt);
    unawaited(
      plugins.hooks.observe("request_post", { ...outcome, messageId: row.id, durationMs }, context),
      logger,
    );
  }

  return {
    receive(message, caller) {
      const work = takeIn(message, caller).finally(() => underway.delete(work));
      underway.add(work);
      return work;
    },
    recover: () => recoverMessages(host),
    async close() {
      closed = true;
      await Promise.allSettled(underway);
      await host.queue.idle();
    },
  };
}

type MessageOutcome = Omit<HookMap["request_post"]["event"], "messageId" | "durationMs">;

function storedForm(message: InboundMessage, receivedAt: number): StoredMessage {
  const { channel, conversationId, senderId, senderIsOwner, text } = message;
  const { externalMessageId, idempotencyKey } = message;
  return {
    id: randomUUID(),
    channel,
    accountId: "default",
    conversationId,
    senderId,
    content: text,
    attachments: [],
    metadata: { senderIsOwner },
    receivedAt,
    ...(externalMessageId === undefined ? {} : { externalMessageId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
