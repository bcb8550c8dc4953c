import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "openclaw/plugin-sdk/account-id";
import { emptyChannelConfigSchema } from "openclaw/plugin-sdk/channel-config-schema";
import { defineChannelPluginEntry } from "openclaw/plugin-sdk/channel-core";
import {
  type ChannelPlugin,
  createChatChannelPlugin,
  setAccountEnabledInConfigSection,
  stripChannelTargetPrefix,
} from "openclaw/plugin-sdk/core";
import { createPluginRuntimeStore } from "openclaw/plugin-sdk/runtime-store";

const store = createPluginRuntimeStore<{ version: string }>("paper-mail is not registered");

const paperMail: ChannelPlugin = createChatChannelPlugin({
  base: {
    id: "paper-mail",
    meta: { id: "paper-mail", label: "Paper mail" },
    configSchema: emptyChannelConfigSchema(),
    config: {
      listAccountIds: () => [DEFAULT_ACCOUNT_ID],
      resolveAccount: (_config: object, accountId?: string) => normalizeAccountId(accountId),
      setAccountEnabled: (edit: { cfg: object; accountId: string; enabled: boolean }) =>
        setAccountEnabledInConfigSection({
          ...edit,
          cfg: { ...edit.cfg },
          sectionKey: "paper-mail",
        }),
    },
    messaging: {
      normalizeTarget: (target: string) => stripChannelTargetPrefix(target, "paper-mail"),
    },
  },
  outbound: {
    base: { deliveryMode: "direct" },
    attachedResults: { channel: "paper-mail", sendText: async () => ({ messageId: "1" }) },
  },
});

export default defineChannelPluginEntry({
  id: "paper-mail",
  name: "Paper mail",
  description: "Sends letters.",
  plugin: paperMail,
  setRuntime: store.setRuntime,
  registerFull(api) {
    api.registerCommand({
      name: "stamps",
      description: "Counts the stamps.",
      handler: () => ({ text: store.getRuntime().version }),
    });
  },
});
