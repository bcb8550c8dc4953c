import type { Counters } from "@openclaw/agent";
import { isIdText } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InboundRow, Store } from "@openclaw/store";
import { MessageRefusedError } from "../errors.js";
import { type FailureRecord, failureRecord } from "../messages/failure-record.js";
import type { InboundMessage } from "../messages/inbound.js";
import { inboxMessage } from "../messages/inbox.js";
import { UnstoredMessage } from "./direct.js";

/** IDs of a message that become part of keys, logs and headers. */
const IDS = [
  "threadId",
  "conversationId",
  "accountId",
  "senderId",
  "sessionKey",
  "externalMessageId",
  "idempotencyKey",
] as const;

/** Dependencies of {@link MessageIntake}. */
export interface MessageIntakeDependencies {
  readonly store: Pick<Store, "messages">;
  readonly counters: Pick<Counters, "increase">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Stores messages in the inbox, and the failures of those that did not become turns. */
export class MessageIntake {
  readonly #dependencies: MessageIntakeDependencies;

  /** @param dependencies - inbox, counters, log and clock */
  constructor(dependencies: MessageIntakeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a message as the inbox stores it.
   * @param message - as a surface sent it
   * @throws MessageRefusedError when there is neither text nor an image or file, or an ID holds a control character
   */
  prepare(message: InboundMessage): UnstoredMessage {
    const { media = [] } = message.client ?? {};
    if (message.text.trim() === "" && media.length === 0) {
      throw new MessageRefusedError("empty", "the message has no text; add text and send it again");
    }
    for (const name of IDS) {
      const id = message[name];
      if (id === undefined || isIdText(id)) continue;
      const problem = `${name} holds a line break, NUL or another control character; send it without`;
      throw new MessageRefusedError("unacceptable", problem);
    }
    return new UnstoredMessage(inboxMessage(message, this.#dependencies.now()));
  }

  /**
   * Stores a message.
   * @param unstored - from {@link MessageIntake.prepare}
   * @returns its row, and whether it had been stored before
   * @throws what the store throws when the message could not be stored
   */
  async accept({ message }: UnstoredMessage): Promise<{ row: InboundRow; duplicate: boolean }> {
    const { store } = this.#dependencies;
    const accepted = await store.messages.inbox.accept(message);
    if (accepted.duplicate) this.countDuplicate();
    return accepted;
  }

  /** Counts a message that had been stored before. */
  countDuplicate(): void {
    this.#dependencies.counters.increase("inbound_duplicates_total");
  }

  /**
   * Stores that a message failed before its turn. If storing fails too, the next start retries the message.
   * @param messageId - ID of its row in the inbox
   * @param cause - thrown value
   * @returns the failure, and whether it was stored
   */
  async fail(
    messageId: string,
    cause: unknown,
  ): Promise<{ error: FailureRecord; stored: boolean }> {
    const { store, logger } = this.#dependencies;
    const error = failureRecord(cause);
    logger.error(`a message failed before its turn: ${error.message}`, {
      code: error.code,
      messageId,
    });
    try {
      await store.messages.inbox.settle(messageId, { state: "failed", error });
      return { error, stored: true };
    } catch (unsettled) {
      const { code, message } = failureRecord(unsettled);
      logger.error(`the outcome of a message could not be stored: ${message}`, { code, messageId });
      return { error, stored: false };
    }
  }
}
