import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { countWords } from "./lib/words.mjs";

/** Holds to everything that every plugin should hold to. */
export default definePluginEntry({
  id: "sound",
  register(api) {
    api.registerTool({
      name: "word_count",
      description: "Counts the words of a text.",
      parameters: { type: "object", properties: { text: { type: "string" } } },
      execute: (_id, { text }) => `${countWords(text)}`,
    });
    api.on("before_tool_call", async ({ toolName }) =>
      toolName === "exec" ? { block: true, blockReason: "no commands" } : undefined,
    );
    api.on("after_tool_call", ({ outcome }) => api.logger.info(outcome));
    api.on("before_message_write", ({ message }) => ({ message }));
    const timer = setInterval(() => api.logger.debug("still here"), 60_000);
    api.lifecycle.onDispose(() => clearInterval(timer));
  },
});
