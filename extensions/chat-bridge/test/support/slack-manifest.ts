import type { SlackManifest } from "@openclaw/plugin-testkit";

const URL = "https://gateway.example/plugins/chat-bridge/slack";

/** App with everything that the page of Slack names. */
export const slackManifest: SlackManifest = {
  display_information: { name: "OpenClaw" },
  features: {
    bot_user: { display_name: "openclaw", always_online: true },
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    slash_commands: [{ command: "/openclaw", url: URL, description: "Run a command of OpenClaw" }],
  },
  oauth_config: {
    scopes: {
      bot: [
        "app_mentions:read",
        "channels:history",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "im:history",
        "im:write",
        "reactions:write",
        "users:read",
      ],
    },
  },
  settings: {
    event_subscriptions: {
      request_url: URL,
      bot_events: ["app_mention", "message.channels", "message.groups", "message.im"],
    },
    interactivity: { is_enabled: true, request_url: URL },
  },
};
