import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { NewReply, OutboxRow, Store } from "@openclaw/store";
import type { FailureRecord } from "../messages/failure-record.js";
import type { StoredMessage } from "../messages/stored-message.js";
import type { ReplyDelivery } from "./reply.js";
import { replyTarget } from "./target.js";

/** Outcome of a message that is answered without a turn. */
export type MessageAnswer = AnsweredState & {
  /** Text for the sender; nothing is sent when absent or empty. */
  readonly text?: string | undefined;
  /** Session that the message acted on. */
  readonly sessionKey?: string | undefined;
};

type AnsweredState =
  | { readonly state: "answered" | "cancelled" | "claimed" }
  | { readonly state: "failed"; readonly error: FailureRecord };

/** Dependencies of {@link MessageAnswers}. */
export interface MessageAnswersDependencies {
  readonly store: Store;
  readonly replies: Pick<ReplyDelivery, "deliver">;
}

/** Answers messages without a turn. */
export class MessageAnswers {
  readonly #dependencies: MessageAnswersDependencies;

  /** @param dependencies - store and delivery of replies */
  constructor(dependencies: MessageAnswersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ends a message without a turn: stores its outcome and the text for its sender in one transaction, and
   * delivers the text.
   * @param answer - its outcome
   * @returns the text that was shown to the sender
   * @throws store errors; the message then still has no outcome
   */
  async answer(stored: StoredMessage, answer: MessageAnswer): Promise<string> {
    const { store } = this.#dependencies;
    const reply = await store.transaction((unit) => storeAnswer(unit, stored, answer));
    return this.deliver(reply, stored);
  }

  /**
   * Delivers the stored text for the sender of a message.
   * @param reply - stored text; undefined when there is none
   * @returns the text that was shown to the sender
   */
  async deliver(reply: OutboxRow | undefined, stored: StoredMessage): Promise<string> {
    if (reply === undefined) return "";
    const { message, context, caller } = stored;
    const inbound = { ...message, body: message.text };
    const delivery = await this.#dependencies.replies.deliver({ reply, context, inbound, caller });
    return delivery.status === "delivered" ? delivery.text : "";
  }

  /**
   * Stores and delivers a notice to the sender, once, before the message has its outcome.
   * @param text - text of the notice
   * @param sessionKey - session of the message
   * @param part - number among the replies to the message; its answer has 0
   */
  async notify(stored: StoredMessage, text: string, sessionKey: string, part = 0): Promise<void> {
    const { store } = this.#dependencies;
    const { row, duplicate } = await store.messages.outbox.add({
      ...answerReply(stored, text, sessionKey),
      part,
    });
    if (!duplicate) await this.deliver(row, stored);
  }

  /**
   * Stores and delivers a text to the sender that belongs to no reply.
   * @param sessionKey - session of the message
   */
  async tell(stored: StoredMessage, text: string, sessionKey: string): Promise<void> {
    const reply = { ...answerReply(stored, text, sessionKey), runId: randomUUID() };
    const { row } = await this.#dependencies.store.messages.outbox.add(reply);
    await this.deliver(row, stored);
  }
}

/**
 * Stores the outcome of a message and the text for its sender, in the transaction of the message's effect.
 * @param answer - its outcome
 * @returns the stored text for {@link MessageAnswers.deliver}; undefined when there is none
 * @throws RowStateError when the message already has an outcome
 */
export async function storeAnswer(
  unit: Pick<Store, "messages">,
  stored: StoredMessage,
  { text = "", sessionKey, ...outcome }: MessageAnswer,
): Promise<OutboxRow | undefined> {
  const { row, message } = stored;
  await unit.messages.inbox.settle(row.id, { ...outcome, ...defined({ sessionKey }) });
  if (text === "") return undefined;
  const reply = answerReply(stored, text, sessionKey ?? message.sessionKey ?? "");
  return (await unit.messages.outbox.add(reply)).row;
}

function answerReply(
  { message, row }: StoredMessage,
  content: string,
  sessionKey: string,
): NewReply {
  return defined({
    // A text without a run has the ID of the message that it answers.
    runId: row.id,
    part: 0,
    inboxId: row.id,
    sessionKey,
    target: replyTarget(message),
    content,
    replyToId: message.externalMessageId,
  });
}
