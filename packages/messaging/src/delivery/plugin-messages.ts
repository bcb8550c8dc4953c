import { defined } from "@openclaw/foundation";
import type { MessageReceipt, PluginMessage } from "@openclaw/plugin-sdk/services";
import type { ProactiveMessages } from "./proactive-messages.js";

/** Sends messages of plugins that answer no message, on the path of replies (SDK-054). */
export class PluginMessages {
  readonly #proactive: Pick<ProactiveMessages, "send">;

  /** @param proactive - messages that answer none */
  constructor(proactive: Pick<ProactiveMessages, "send">) {
    this.#proactive = proactive;
  }

  /**
   * Stores a message and delivers it.
   * @param pluginId - plugin that sends it
   * @param message - text and conversation
   * @throws MessageTargetNotFoundError when no surface of the channel is running
   */
  async send(
    pluginId: string,
    { channel, to, text, accountId, threadId }: PluginMessage,
  ): Promise<MessageReceipt> {
    const delivery = await this.#proactive.send({
      target: { channel, to, ...defined({ accountId, threadId }) },
      text,
      sessionKey: `plugin:${pluginId}`,
      senderId: pluginId,
    });
    switch (delivery.status) {
      case "delivered":
        return { status: "delivered" };
      case "suppressed":
        return { status: "suppressed", reason: delivery.reason };
      case "failed":
        return { status: "failed", error: delivery.error };
    }
  }
}
