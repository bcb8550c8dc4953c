import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { MessageReceipt, PluginMessage } from "@openclaw/plugin-sdk/services";
import type { Store } from "@openclaw/store";
import { MessageTargetNotFoundError } from "../errors.js";
import { messageContext } from "../messages/context.js";
import type { FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";

/** Dependencies of {@link PluginMessages}. */
export interface PluginMessagesDependencies {
  readonly store: Pick<Store, "messages">;
  readonly replies: Pick<ReplyDelivery, "deliver">;
  readonly findSurface: FindSurface;
}

/** Sends messages of plugins that answer no message, on the path of replies (SDK-054). */
export class PluginMessages {
  readonly #dependencies: PluginMessagesDependencies;

  /** @param dependencies - store, delivery and surfaces */
  constructor(dependencies: PluginMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a message and delivers it.
   * @param pluginId - plugin that sends it
   * @param message - text and conversation
   * @throws MessageTargetNotFoundError when no surface of the channel is running
   */
  async send(pluginId: string, message: PluginMessage): Promise<MessageReceipt> {
    const { store, replies, findSurface } = this.#dependencies;
    const { channel, to, text, accountId, threadId } = message;
    const target = { channel, to, ...defined({ accountId, threadId }) };
    const surface = findSurface(target);
    if (surface === undefined) throw new MessageTargetNotFoundError(channel);
    const runId = randomUUID();
    const sessionKey = `plugin:${pluginId}`;
    const { row } = await store.messages.outbox.add({
      runId,
      part: 0,
      sessionKey,
      target,
      content: text,
    });
    const inbound = { channel, conversationId: to, senderId: pluginId, senderIsOwner: false };
    const context = messageContext({ ...inbound, ...defined({ accountId, threadId }) }, runId);
    const delivery = await replies.deliver({ reply: row, context, inbound, caller: { surface } });
    return delivery.status === "delivered" ? { status: "delivered" } : delivery;
  }
}
