import { readStringArray } from "@openclaw/plugin-sdk/param-readers";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";

export default definePluginEntry({
  id: "{{id}}",
  register(api) {
    const forbidden = readStringArray(api.pluginConfig, "forbidden") ?? [];
    const scope = { toolNames: ["exec"] };

    api.on(
      "before_tool_call",
      ({ params }) => {
        const found = forbidden.find((text) => String(params.command).includes(text));
        if (found === undefined) return undefined;
        return { block: true, blockReason: `commands with "${found}" are not allowed here` };
      },
      { scope },
    );

    api.on(
      "after_tool_call",
      ({ outcome, durationMs = 0 }) => {
        api.logger.info(`a command ended with ${outcome} after ${durationMs} ms`);
      },
      { scope },
    );
  },
});
