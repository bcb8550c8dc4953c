import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

/** A tool that is made anew for each session, from what the factory is told of it. */
export default definePluginEntry({
  id: "workspace-action",
  register(api) {
    api.registerTool(
      ({ sessionKey, workspaceDir, agentId, messageChannel, sandboxed }) => ({
        name: "workspace-action",
        description: "Says where it would act.",
        parameters: { type: "object", properties: {} },
        execute: async () => {
          const folder = sandboxed ? `${workspaceDir}/safe` : workspaceDir;
          const address = messageChannel === "telegram" ? "@you" : "you";
          return {
            content: [{ type: "text", text: `for ${address}, as ${agentId}` }],
            details: { sessionKey, folder, messageChannel, sandboxed },
          };
        },
      }),
      { name: "workspace-action", optional: true },
    );
  },
});
