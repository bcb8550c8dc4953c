import { buildJsonPluginConfigSchema } from "openclaw/plugin-sdk/config-schema";
import { formatErrorMessage } from "openclaw/plugin-sdk/error-runtime";
import { readStringArrayParam } from "openclaw/plugin-sdk/param-readers";
import { definePluginEntry, type PluginLogger } from "openclaw/plugin-sdk/plugin-entry";
import { normalizeOptionalString } from "openclaw/plugin-sdk/string-coerce-runtime";
import { extractToolPayload } from "openclaw/plugin-sdk/tool-payload";
import { jsonResult } from "openclaw/plugin-sdk/tool-results";
import { Type } from "typebox";

function tell(logger: PluginLogger, error: unknown): void {
  logger.warn(formatErrorMessage(error));
}

export default definePluginEntry({
  id: "release-notes",
  name: "Release notes",
  description: "Writes release notes.",
  configSchema: buildJsonPluginConfigSchema({
    type: "object",
    properties: { style: { type: "string" } },
  }),
  register(api) {
    const { style } = api.pluginConfig as { style: string };
    api.registerTool({
      name: "release_notes",
      label: "Write release notes",
      description: "Writes release notes of changes.",
      parameters: Type.Object({ changes: Type.Array(Type.String()) }),
      execute: async (_toolCallId: string, params: Record<string, unknown>) => {
        const changes = readStringArrayParam(params, "changes", { required: true }) ?? [];
        const made = jsonResult({ style: normalizeOptionalString(` ${style} `), changes });
        return jsonResult(extractToolPayload(made));
      },
    } as never);
    api.on("before_prompt_build", async () => ({ appendContext: "Mention release notes." }), {
      priority: 20,
      timeoutMs: 2_000,
    });
    api.on("after_tool_call", async ({ error }) => {
      if (error !== undefined) tell(api.logger, error);
    });
  },
});
