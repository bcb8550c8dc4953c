import { logRejection } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import { EARLIER_PART_FAILED, type OutboxRow, REPLY_QUEUE, type Store } from "@openclaw/store";
import { MessageTargetNotFoundError } from "../errors.js";
import { messageContext } from "../messages/context.js";
import { restoreMessage } from "../messages/inbox.js";
import type { FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";
import { turnContext } from "./turn-context.js";

/** Dependencies of {@link FailedReplies}. */
export interface FailedRepliesDependencies {
  readonly store: Pick<Store, "messages" | "turns" | "deadItems">;
  readonly replies: Pick<ReplyDelivery, "deliverChunk">;
  readonly findSurface: FindSurface;
  readonly logger: Logger;
}

/** Sends replies again that could not be delivered, when an operator asks for it (SCALE-014). */
export class FailedReplies {
  readonly #dependencies: FailedRepliesDependencies;

  /** @param dependencies - store, delivery, surfaces and log */
  constructor(dependencies: FailedRepliesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Begins to send a failed part of a reply again, and those after it, which were not sent because of it.
   * @param outboxId - ID of the part
   * @returns false when it has not failed; the outcome is stored with the part
   * @throws MessageTargetNotFoundError when its channel does not run
   */
  async requeue(outboxId: string): Promise<boolean> {
    const { store, findSurface, logger } = this.#dependencies;
    const failed = await store.deadItems.get(REPLY_QUEUE, outboxId);
    if (failed?.reply === undefined) return false;
    const { target, inboxId } = failed.reply;
    if (findSurface(target, inboxId) === undefined)
      throw new MessageTargetNotFoundError(target.channel);
    const parts = await store.deadItems.reopenReply(outboxId);
    logRejection(this.#send(parts), logger);
    return parts.length > 0;
  }

  async #send(parts: readonly OutboxRow[]): Promise<void> {
    const { store, replies, findSurface } = this.#dependencies;
    let hasFailed = false;
    for (const part of parts) {
      if (hasFailed) {
        await store.messages.outbox.suppressed(part.id, EARLIER_PART_FAILED);
        continue;
      }
      const surface = findSurface(part.target, part.inboxId);
      const delivery = await replies.deliverChunk(part, await this.#contextOf(part), surface);
      hasFailed = delivery.status === "failed";
    }
  }

  async #contextOf(part: OutboxRow): Promise<MessageContext> {
    const { store } = this.#dependencies;
    const { inboxId, target, runId } = part;
    const row = inboxId === undefined ? undefined : await store.messages.inbox.get(inboxId);
    if (row !== undefined)
      return await turnContext(part, messageContext(restoreMessage(row), row.id), store);
    const { channel, to: conversationId, accountId, threadId } = target;
    const about = { channel, conversationId, senderId: "openclaw", senderIsOwner: false };
    return await turnContext(
      part,
      messageContext({ ...about, ...defined({ accountId, threadId }) }, runId),
      store,
    );
  }
}
