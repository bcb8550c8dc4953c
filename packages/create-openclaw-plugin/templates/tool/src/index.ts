import { readString } from "@openclaw/plugin-sdk/param-readers";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { defineTool } from "@openclaw/plugin-sdk/tools";

export default definePluginEntry({
  id: "{{id}}",
  register(api) {
    api.registerTool(
      defineTool({
        name: "{{identifier}}",
        description: "Counts the words and characters of a text.",
        parameters: {
          type: "object",
          properties: { text: { type: "string", description: "The text to count." } },
          required: ["text"],
          additionalProperties: false,
        },
        execute(_callId, params) {
          const text = readString(params, "text", { required: true });
          const words = text.split(/\s+/).filter((word) => word !== "").length;
          return `${words} words, ${text.length} characters`;
        },
      }),
    );
  },
});
