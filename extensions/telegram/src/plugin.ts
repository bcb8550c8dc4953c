import { defineChannelPluginEntry } from "@openclaw/plugin-sdk/channel-core";
import { TelegramChannel } from "./channel.js";
import { usesWebhook } from "./settings.js";
import { createWebhook } from "./webhook.js";

/** Creates the plugin: the channel, and the route of its webhook. */
export function createTelegramPlugin() {
  const channel = new TelegramChannel();
  return defineChannelPluginEntry({
    id: "telegram",
    name: "Telegram",
    description: "Telegram for an OpenClaw host: private chats, groups and topics.",
    plugin: channel,
    registerFull(api) {
      channel.store = () => api.store.kv;
      // The keys that decide whether there is a webhook.
      api.registerReload({
        hotPrefixes: ["channels.telegram.webhookUrl", "channels.telegram.accounts"],
      });
      if (!usesWebhook(api.config)) return;
      api.registerHttpRoute({
        path: "/plugins/telegram/webhook",
        auth: "plugin",
        methods: ["POST"],
        fetch: createWebhook(channel),
      });
    },
  });
}
