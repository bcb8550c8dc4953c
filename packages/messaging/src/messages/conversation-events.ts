import type { TurnEvent } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { EventPublisher } from "@openclaw/protocol";
import type { OutboxRow, Turn } from "@openclaw/store";
import type { FailureRecord } from "./failure-record.js";
import type { ReplyOutcome } from "./inbound.js";

/** Outcome of a message that has ended. */
type EndedOutcome = Exclude<ReplyOutcome, { status: "duplicate" }>;

/** Publishes the progress of conversations to clients (GW-024). */
export class ConversationEvents {
  readonly #publisher: EventPublisher;

  /** @param publisher - sends events to the clients */
  constructor(publisher: EventPublisher) {
    this.#publisher = publisher;
  }

  /**
   * Publishes the progress of a turn. Its end is published by {@link ConversationEvents.ended}, once it is
   * stored.
   * @param event - progress
   */
  progressed({ sessionKey, runId, inboxId }: Turn, event: TurnEvent): void {
    const turn = { sessionKey, runId };
    switch (event.type) {
      case "started":
        this.#publisher.publish("chat.started", {
          ...turn,
          messageId: inboxId,
          model: event.model,
        });
        break;
      case "text":
        if (event.delta !== "") {
          this.#publisher.publish("chat.delta", { ...turn, delta: event.delta });
        }
        break;
      case "model-waiting": {
        const { model, waitedMs, limitMs } = event;
        this.#publisher.publish("chat.waiting", { ...turn, model, waitedMs, limitMs });
        break;
      }
      case "model-retry": {
        const { model, retry, waitMs, errorCode } = event;
        this.#publisher.publish("chat.retry", { ...turn, model, retry, waitMs, errorCode });
        break;
      }
      case "model-failover": {
        const { from, to, errorCode } = event;
        this.#publisher.publish("chat.failover", { ...turn, from, to, errorCode });
        break;
      }
      case "context-used": {
        const { model, usedTokens, windowTokens } = event;
        this.#publisher.publish("chat.context", { ...turn, model, usedTokens, windowTokens });
        break;
      }
      case "paused":
        this.#publisher.publish("chat.paused", { ...turn, approvalId: event.approvalId });
        break;
      case "tool-started": {
        const { toolCallId, toolName, params } = event;
        this.#publisher.publish("tool.started", { ...turn, toolCallId, toolName, params });
        break;
      }
      case "tool-update": {
        const { toolCallId, text } = event;
        this.#publisher.publish("tool.update", { ...turn, toolCallId, text });
        break;
      }
      case "tool-blocked": {
        const { toolCallId, toolName, decider } = event;
        this.#publisher.publish("tool.blocked", { ...turn, toolCallId, toolName, decider });
        break;
      }
      case "tool-finished":
        this.#publishResult(turn, event);
        break;
      // The stored reply is published with the end of the turn.
      case "message":
      case "finished":
      // Reasoning is for the client that asked; the history of the session contains it.
      case "thinking":
      // The job publishes it together with its state.
      case "job-progress":
        break;
    }
  }

  /**
   * Publishes that a message could not be delivered (TURN-048).
   * @param row - row of the message in the outbox
   * @param failure - text that was not delivered, error and number of attempts
   */
  undelivered(
    { sessionKey, runId, target: { channel, to } }: OutboxRow,
    failure: { readonly text: string; readonly attempts: number; readonly error: FailureRecord },
  ): void {
    this.#publisher.publish("chat.undelivered", { sessionKey, runId, channel, to, ...failure });
  }

  /**
   * Publishes a message that the agent adds to a conversation by itself.
   * @param sessionKey - full key of the session
   * @param post - turn of which it is the result, the message that the turn answered, its model and its text
   */
  posted(
    sessionKey: string,
    post: { readonly runId: string; readonly messageId: string; readonly text: string },
  ): void {
    this.#publisher.publish("chat.posted", { sessionKey, ...post });
  }

  /**
   * Publishes the end of the answer to a message.
   * @param sessionKey - full key of the session
   * @param outcome - stored outcome
   */
  ended(sessionKey: string, outcome: EndedOutcome): void {
    const { messageId } = outcome;
    const runId = "runId" in outcome ? outcome.runId : undefined;
    const message = { sessionKey, messageId, ...defined({ runId }) };
    if (outcome.status === "failed") {
      const { code: reason, message: text, retryable } = outcome.error;
      const category = retryable
        ? ({ code: "UNAVAILABLE", kind: "unavailable" } as const)
        : ({ code: "INTERNAL", kind: "internal" } as const);
      const error = { ...category, reason, message: text, retryable };
      this.#publisher.publish("chat.error", { ...message, error });
      return;
    }
    const { status } = outcome;
    const text = "text" in outcome ? outcome.text : "";
    if (status !== "replied") {
      this.#publisher.publish("chat.final", { ...message, status, text });
      return;
    }
    const { stopReason, usage, unapprovedTools, deniedTools } = outcome;
    const unapproved = defined({
      unapprovedTools: unapprovedTools && [...unapprovedTools],
      deniedTools: deniedTools && [...deniedTools],
    });
    this.#publisher.publish("chat.final", {
      ...{ ...message, status, text, stopReason, usage },
      ...unapproved,
    });
  }

  #publishResult(
    turn: { readonly sessionKey: string; readonly runId: string },
    event: Extract<TurnEvent, { type: "tool-finished" }>,
  ): void {
    const { toolCallId, toolName, outcome, preview, durationMs, failure, details } = event;
    const isSmall = details !== undefined && JSON.stringify(details).length <= MAXIMUM_DETAILS;
    this.#publisher.publish("tool.result", {
      ...turn,
      toolCallId,
      toolName,
      outcome,
      preview,
      durationMs,
      ...defined({
        failure,
        details: isSmall ? details : undefined,
      }),
    });
  }
}

/** Maximum size of the details of a result in an event, in UTF-16 code units of JSON. */
const MAXIMUM_DETAILS = 65_536;
