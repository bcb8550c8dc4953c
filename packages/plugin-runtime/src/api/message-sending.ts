import { defined } from "@openclaw/foundation";
import type { HostMessagePort, RuntimeMessages } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import { expectText } from "../registration/check.js";

/**
 * Creates `api.runtime.messages`.
 * @param instance - the plugin
 * @param sendMessage - sends a message for a plugin
 */
export function createRuntimeMessages(
  instance: PluginInstance,
  sendMessage: NonNullable<HostMessagePort["sendMessage"]>,
): RuntimeMessages {
  const { origin } = instance;
  return {
    async send({ channel, to, text, accountId, threadId }) {
      const call = { origin, member: "runtime.messages.send" };
      instance.assertAlive(call.member);
      return await sendMessage(instance.id, {
        channel: expectText(call, "channel", channel),
        to: expectText(call, "to", to),
        text: expectText(call, "text", text),
        ...defined({ accountId, threadId }),
      });
    },
  };
}
