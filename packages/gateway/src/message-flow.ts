import { randomUUID } from "node:crypto";
import { unawaited } from "@openclaw/agent";
import type { HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow, InboundMessage as StoredMessage } from "@openclaw/store";
import { MessageRefusedError } from "./errors.js";
import type { Caller, InboundMessage, ReplyOutcome } from "./inbound-message.js";
import { admitMessage } from "./message-admission.js";
import type { MessageHost } from "./message-host.js";
import { readTurnInput, writeTurnInput } from "./turn-input.js";
import { runQueuedTurn } from "./turn-run.js";

/** The one way in: a message is stored, admitted, queued as a turn, and its reply delivered. */
export interface MessageFlow {
  /**
   * Takes a message in. It is stored before anything else happens to it.
   * @param message - as a surface hands it over
   * @param caller - who waits for the reply
   * @throws MessageRefusedError when the text is empty
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  /**
   * Takes up what an earlier process left: queued turns run; turns that were running end as
   * interrupted, since their tools may have had effects; replies that nobody waits for are closed.
   * @returns how many turns run again
   */
  recover(): Promise<number>;
}

/**
 * Makes the flow of messages through a host.
 * @param host - store, plugins and services
 */
export function createMessageFlow(host: MessageHost): MessageFlow {
  const { store, plugins, logger } = host;

  async function receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome> {
    if (message.text.trim() === "") {
      throw new MessageRefusedError("the message has no text; write something and send it again");
    }
    const startedAt = performance.now();
    const { row, duplicate } = await store.inbox.accept(storedForm(message, host.services.now()));
    const messageId = row.id;
    if (duplicate) return { status: "duplicate", messageId };

    const context = contextOf(message, messageId);
    const announce = (
      outcome: Pick<RequestPost, "outcome" | "sessionKey" | "sessionId" | "runId">,
    ) => {
      const durationMs = Math.round(performance.now() - startedAt);
      unawaited(
        plugins.hooks.observe("request_post", { ...outcome, messageId, durationMs }, context),
        logger,
      );
    };
    const admission = await admitMessage(message, row, context, host);
    switch (admission.outcome) {
      case "cancelled": {
        announce({ outcome: "cancelled" });
        const { text, reason } = admission;
        return { status: "withheld", messageId, text, reason };
      }
      case "claimed":
        announce({ outcome: "claimed" });
        return { status: "answered", messageId, text: admission.text };
      case "admitted": {
        const turn = await queueTurn(admission.message, row, context);
        const { sessionKey, sessionId, runId } = turn;
        announce({ outcome: "queued", sessionKey, sessionId, runId });
        return host.queue.run(sessionKey, () => runQueuedTurn(turn, context, caller, host));
      }
    }
  }

  /** The message's outcome and the turn that answers it are one transaction. */
  async function queueTurn(message: InboundMessage, row: InboundRow, context: MessageContext) {
    const { sessionKey, agentId, channel } = message;
    const runId = randomUUID();
    const { turn, created } = await store.transaction(async (unit) => {
      const opened = await unit.sessions.open(sessionKey, { agentId, channel });
      await unit.inbox.settle(row.id, { state: "queued", sessionKey, runId });
      const { sessionId } = opened.session;
      const trigger = channel === "api" ? "api" : "user";
      const payload = writeTurnInput(message);
      const queued = {
        runId,
        sessionKey,
        sessionId,
        agentId,
        inboxId: row.id,
        trigger,
        payload,
      } as const;
      return { turn: await unit.turns.enqueue(queued), created: opened.created };
    });
    if (created) {
      const { sessionId } = turn;
      const about = { ...context, agentId, sessionKey, sessionId };
      unawaited(
        plugins.hooks.observe("session_start", { sessionId, sessionKey, reason: "new" }, about),
        logger,
      );
    }
    return turn;
  }

  async function recover(): Promise<number> {
    for (const { id } of await store.inbox.inState("received")) {
      const error = {
        code: "INTERRUPTED",
        message: "the host ended before the message was routed",
      };
      await store.inbox.settle(id, { state: "failed", error });
      logger.warn("a message of an earlier process was never routed; it is kept", {
        messageId: id,
      });
    }
    for (const { id } of await store.outbox.undelivered()) {
      await store.outbox.suppressed(id, "nobody waited for it; it is in the transcript");
    }
    let resumed = 0;
    for (const turn of await store.turns.unfinished()) {
      const { runId, inboxId, sessionKey } = turn;
      // A caller of the API that has gone asks again; running its turn would answer twice.
      if (turn.state === "running" || turn.trigger === "api") {
        await store.turns.finish(runId, { state: "interrupted", stopReason: "host-ended" });
        logger.warn("a turn was cut off by the end of an earlier process", { runId });
        continue;
      }
      resumed += 1;
      const { channel } = readTurnInput(turn);
      const context = { callDepth: 0, messageProvider: channel, messageId: inboxId };
      host.queue
        .run(sessionKey, () => runQueuedTurn(turn, context, undefined, host))
        .catch((error: unknown) =>
          logger.error(`a resumed turn failed: ${String(error)}`, { runId }),
        );
    }
    return resumed;
  }

  return { receive, recover };
}

type RequestPost = HookMap["request_post"]["event"];

function storedForm(message: InboundMessage, receivedAt: number): StoredMessage {
  const { channel, conversationId, senderId, text, externalMessageId, idempotencyKey } = message;
  return {
    id: randomUUID(),
    channel,
    accountId: "default",
    conversationId,
    senderId,
    content: text,
    attachments: [],
    metadata: {},
    receivedAt,
    ...(externalMessageId === undefined ? {} : { externalMessageId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function contextOf(message: InboundMessage, messageId: string): MessageContext {
  const { channel, conversationId, senderId, senderIsOwner } = message;
  return {
    callDepth: 0,
    messageProvider: channel,
    channelId: conversationId,
    conversationId,
    messageId,
    senderId,
    senderIsOwner,
  };
}
