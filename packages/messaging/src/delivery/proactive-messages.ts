import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import { ChannelSendFailedError } from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { DeliveryTarget, Store } from "@openclaw/store";
import { MessageTargetNotFoundError } from "../errors.js";
import { messageContext } from "../messages/context.js";
import type { ReplySurface } from "../messages/inbound.js";
import type { Delivery } from "./chunk.js";
import type { FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";

/** Message that answers none. */
export interface ProactiveMessage {
  readonly target: DeliveryTarget;
  readonly text: string;
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** ID that the channel gave the message whose text this one replaces. */
  readonly replaces?: string | undefined;
  /** ID that the channel gave the message to which this one refers. */
  readonly replyToId?: string | undefined;
  /** Session that it is recorded with. */
  readonly sessionKey: string;
  readonly agentId?: string | undefined;
  /** Plugin or agent that sends it. */
  readonly senderId: string;
}

/** Dependencies of {@link ProactiveMessages}. */
export interface ProactiveMessagesDependencies {
  readonly store: Pick<Store, "messages">;
  readonly replies: Pick<ReplyDelivery, "deliver">;
  readonly findSurface: FindSurface;
}

/** Sends messages that answer none, on the path of replies: stored, through the outbound hooks, in chunks. */
export class ProactiveMessages {
  readonly #dependencies: ProactiveMessagesDependencies;

  /** @param dependencies - store, delivery and surfaces */
  constructor(dependencies: ProactiveMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a message and delivers it. One that replaces another takes the same way: hooks see it, and secrets are removed.
   * @param message - text and conversation
   * @returns the outcome, with the ID that the channel gave the message, if any
   * @throws MessageTargetNotFoundError when no surface of the channel is running
   */
  async send({
    target,
    text,
    attachments,
    replaces,
    replyToId,
    sessionKey,
    agentId,
    senderId,
  }: ProactiveMessage): Promise<Delivery & { readonly messageId?: string | undefined }> {
    const { store, replies, findSurface } = this.#dependencies;
    const { channel, to, accountId, threadId } = target;
    const found = findSurface(target);
    if (found === undefined) throw new MessageTargetNotFoundError(channel);
    const surface = replaces === undefined ? found : replacing(replaces, found, channel);
    const runId = randomUUID();
    const { outbox } = store.messages;
    const reply = { runId, part: 0, sessionKey, target, content: text, attachments, replyToId };
    const { row } = await outbox.add(defined(reply));
    const inbound = { channel, conversationId: to, senderId, senderIsOwner: false };
    const context = messageContext({ ...inbound, ...defined({ accountId, threadId }) }, runId);
    const about = { ...context, ...defined({ agentId }) };
    const delivery = await replies.deliver({
      ...{ reply: row, inbound, caller: { surface } },
      context: agentId === undefined ? about : { ...about, sessionKey },
    });
    return { ...delivery, messageId: (await outbox.get(row.id))?.messageId };
  }
}

/** Returns a surface whose message replaces a shown one. */
function replacing(messageId: string, surface: ReplySurface, channel: string): ReplySurface {
  const { textLimit } = surface;
  return {
    // A repeat has the same effect.
    deduplicates: true,
    async send(message) {
      const { text = "" } = message;
      if (textLimit !== undefined && text.length > textLimit) {
        const problem = `the text has ${text.length} characters, and a message at most ${textLimit}; shorten it`;
        throw new ChannelSendFailedError(channel, problem);
      }
      if ((await surface.edit?.(messageId, message)) === true) return { messageId };
      throw new ChannelSendFailedError(channel, "cannot edit messages");
    },
  };
}
