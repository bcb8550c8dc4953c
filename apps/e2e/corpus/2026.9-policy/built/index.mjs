import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "speed-limit",
  name: "Speed limit",
  description: "Slows tools down.",
  register(api) {
    api.registerTool(
      {
        contextVersion: 2,
        create: ({ sessionKey }) => ({
          name: "speed_now",
          label: "Speed",
          description: "Tells the speed.",
          parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [], details: sessionKey }),
        }),
      },
      { name: "speed_now" },
    );
    api.on("before_tool_call", () => undefined, {
      registrationId: "speed-limit.calls",
      matcher: ["exec"],
    });
    api.on("session_end", () => {});
    api.on("llm_output", () => {});
    api.registerReload({ restartPrefixes: ["plugins.entries.speed-limit"] });
    api.registerContextEngine("speed-limit", () => ({ info: { id: "speed-limit" } }));
    api.registerCompactionProvider({ id: "speed-limit", compact: async () => undefined });
    api.registerAgentToolResultMiddleware(async (result) => result);
    api.registerMemoryCapability({ promptBuilder: () => [] });
    api.registerInteractiveHandler({
      channel: "paper-mail",
      namespace: "speed",
      handler: () => {},
    });
  },
});
