import { defined } from "@openclaw/foundation";
import type {
  CredentialPrompt,
  HostMessagePort,
  RuntimeMessages,
} from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import { expectText } from "../registration/check.js";

/**
 * Creates `api.runtime.messages`.
 * @param sendMessage - sends a message for a plugin
 * @param requestCredential - asks a conversation for a credential of a plugin
 */
export function createRuntimeMessages(
  instance: PluginInstance,
  sendMessage: NonNullable<HostMessagePort["sendMessage"]>,
  requestCredential: HostMessagePort["requestCredential"],
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
    ...(requestCredential !== undefined && {
      async requestCredential(prompt: CredentialPrompt) {
        const call = { origin, member: "runtime.messages.requestCredential" };
        instance.assertAlive(call.member);
        const { instructions, authUrl, setupUrl } = prompt;
        await requestCredential(instance.id, {
          sessionKey: expectText(call, "sessionKey", prompt.sessionKey),
          name: expectText(call, "name", prompt.name),
          ...defined({ instructions, authUrl, setupUrl }),
        });
      },
    }),
  };
}
