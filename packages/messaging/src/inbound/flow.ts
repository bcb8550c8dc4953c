import { logRejection } from "@openclaw/agent";
import type { HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow, OutboxRow } from "@openclaw/store";
import { answerQuestion, isUrgent } from "../approvals/input.js";
import { attendQuestions, remindOfQuestions } from "../approvals/request-delivery.js";
import { answerMessage, deliverAnswer } from "../delivery/message-answer.js";
import { laterCaller } from "../delivery/recovered-caller.js";
import { recoverReplies } from "../delivery/reply-recovery.js";
import { MessageRefusedError } from "../errors.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import { inboxMessage, restoreMessage } from "../messages/inbox.js";
import { messageTrace } from "../messages/trace.js";
import { readSessionCommand, type SessionCommand } from "../sessions/command.js";
import { setElevatedMode } from "../sessions/elevated-mode.js";
import { interruptSession } from "../sessions/interrupt.js";
import { createTurnQueue } from "../turns/queue.js";
import { admitMessage, type StoredMessage } from "./admission.js";
import type { MessageHost } from "./host.js";
import { queueMessage, type RoutedMessage } from "./queueing.js";
import { recoverMessages } from "./recovery.js";

/** The one way in: a message is stored, admitted, routed, queued as a turn, and its reply delivered. */
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
   * Takes up what an earlier process left: turns go on from their last step, messages that had not become
   * turns are taken in, replies go out where their channel is there.
   * To be called before the first `receive`, which it would take for a message of an earlier process.
   * @returns how many turns go on
   */
  recover(): Promise<number>;
  /** Takes no more messages in, and resolves when none is on its way any more. */
  close(): Promise<void>;
}

/** A stored message whose outcome is open. */
interface Arrival extends StoredMessage {
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
    const { row, duplicate } = await store.inbox.accept(inboxMessage(message, host.services.now()));
    if (duplicate) {
      host.services.counters.increase("inbound_duplicates_total");
      return { status: "duplicate", messageId: row.id };
    }
    const context = messageContext(message, row.id);
    return await bringIn({ message, row, context, caller, startedAt });
  }

  /** A message that was stored, now or by an earlier process. */
  async function bringIn(arrival: Arrival): Promise<ReplyOutcome> {
    const { message, row, caller } = arrival;
    using _trace = host.traces.hold(messageTrace(row.id).traceId);
    try {
      caller.onStored?.(row.id);
      const { sessionKey } = host.router.route(message);
      // What ends a turn, or answers it, must not wait behind what waits for that turn.
      if (await isUrgent(message.text, sessionKey, host)) {
        return await (await admit(arrival)).outcome;
      }
      const { outcome } = await arrivals.run(sessionKey, () => admit(arrival));
      return await outcome;
    } catch (error) {
      return failMessage(arrival, error);
    }
  }

  /** The outcome is wrapped: a queued turn is waited for outside the queue of arrivals. */
  async function admit(
    arrival: Arrival,
  ): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const messageId = arrival.row.id;
    const admission = await admitMessage(arrival, host);
    switch (admission.outcome) {
      case "cancelled": {
        announce(arrival, { outcome: "cancelled" });
        const { text, reason } = admission;
        return { outcome: { status: "withheld", messageId, text, reason } };
      }
      case "claimed":
        announce(arrival, { outcome: "claimed", content: admission.content });
        return { outcome: { status: "answered", messageId, text: admission.text } };
      case "admitted": {
        const { message: admitted } = admission;
        const routed = { ...arrival, admitted, route: host.router.route(admitted) };
        const command = readSessionCommand(admitted.text);
        if (command !== undefined) return obey(command, routed);
        const answer = await answerQuestion(routed, host);
        if (answer === undefined) return queue(routed);
        return answered(routed, answer.words, "approval", answer.stored);
      }
    }
  }

  async function queue(
    routed: Arrival & RoutedMessage,
  ): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const { agentId, sessionKey } = routed.route;
    const attending = attendQuestions(routed, host);
    const queued = await queueMessage(routed, host).catch((error: unknown) => {
      attending.end();
      throw error;
    });
    const about = { sessionKey, content: routed.admitted.text, route: originOf(routed) };
    const context = { ...routed.context, agentId, sessionKey };
    if (queued.outcome === "refused") {
      attending.end();
      announce(routed, { outcome: "answered", answeredBy: "notice", ...about }, context);
      const { text } = queued;
      return { outcome: { status: "answered", messageId: routed.row.id, text } };
    }
    const { runId, sessionId } = queued.turn;
    announce(routed, { outcome: "queued", sessionId, runId, ...about }, { ...context, runId });
    logRejection(remindOfQuestions(routed, host), logger);
    const reply = queued.reply
      .then((outcome) => ({ ...outcome, messageId: routed.row.id }))
      .finally(() => attending.end());
    return { outcome: reply };
  }

  /** A command acts on the session and is answered without a model. */
  async function obey(
    command: SessionCommand,
    routed: Arrival & RoutedMessage,
  ): Promise<{ outcome: ReplyOutcome }> {
    const words = await act(command, routed);
    return answered(routed, words, command.kind === "interrupt" ? "control" : "command");
  }

  /** The message ends with words for its sender, and without a turn. */
  async function answered(
    routed: Arrival & RoutedMessage,
    words: string,
    answeredBy: NonNullable<MessageOutcome["answeredBy"]>,
    stored?: { readonly reply: OutboxRow | undefined },
  ): Promise<{ outcome: ReplyOutcome }> {
    const { agentId, sessionKey } = routed.route;
    const answer = { state: "answered", text: words, sessionKey } as const;
    const text =
      stored === undefined
        ? await answerMessage(routed, answer, host)
        : await deliverAnswer(stored.reply, routed, host);
    const content = routed.admitted.text;
    const route = originOf(routed);
    announce(
      routed,
      { outcome: "answered", answeredBy, sessionKey, content, route },
      { ...routed.context, agentId, sessionKey },
    );
    return { outcome: { status: "answered", messageId: routed.row.id, text } };
  }

  async function act(command: SessionCommand, routed: RoutedMessage): Promise<string> {
    const { sessionKey } = routed.route;
    switch (command.kind) {
      case "interrupt":
        return (await interruptSession(sessionKey, host)) ? "Interrupted." : "Nothing is running.";
      case "reset": {
        const { reason } = command;
        await host.approvals.cancelFor({ sessionKey }, "reset");
        // Among the turns of the session: those of earlier messages belong to the old conversation.
        await host.queue.run(sessionKey, () =>
          host.sessions.reset(sessionKey, { by: "command", reason }),
        );
        return "A new conversation has begun.";
      }
      case "elevate":
        return await setElevatedMode(
          command,
          { ...routed.admitted, ...routed.route },
          host.approvals,
        );
    }
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

  function announce(
    { row, context, startedAt }: Arrival,
    outcome: MessageOutcome,
    about: MessageContext = context,
  ): void {
    const durationMs = Math.round(performance.now() - startedAt);
    logRejection(
      plugins.hooks.observe("request_post", { ...outcome, messageId: row.id, durationMs }, about),
      logger,
    );
  }

  function watched<Result>(work: Promise<Result>): Promise<Result> {
    const watching = work.finally(() => underway.delete(watching));
    underway.add(watching);
    return watching;
  }

  function bringInAgain(row: InboundRow): void {
    const message = restoreMessage(row);
    const context = messageContext(message, row.id);
    const caller = laterCaller(message, host);
    const arrival = { message, row, context, caller, startedAt: performance.now() };
    logRejection(
      watched(bringIn(arrival)).then(() => undefined),
      logger,
    );
  }

  return {
    receive: (message, caller) => watched(takeIn(message, caller)),
    async recover() {
      const replies = await store.outbox.undelivered();
      const resumed = await recoverMessages(host, bringInAgain);
      logRejection(watched(recoverReplies(replies, host)), logger);
      return resumed;
    },
    async close() {
      closed = true;
      host.pauses.close();
      await Promise.allSettled(underway);
      await host.queue.idle();
    },
  };
}

type MessageOutcome = Omit<HookMap["request_post"]["event"], "messageId" | "durationMs">;

function originOf({ route: { agentId, deliveryContext } }: RoutedMessage) {
  return { agentId, ...deliveryContext };
}
