import type { OpenClawPluginApi } from "openclaw/plugin-sdk";

export function register(api: OpenClawPluginApi) {
  api.registerTool(
    (context) => ({
      name: "workspace-action",
      description: "Acts in the workspace.",
      parameters: { type: "object", properties: {} },
      execute: async () => ({
        content: [
          { type: "text" as const, text: context.sandboxed ? "inside" : context.sessionKey },
        ],
        details: { agent: context.agentId, channel: context.messageChannel },
      }),
    }),
    { name: "workspace-action", optional: true },
  );
}
