Object.defineProperty(exports, "__esModule", { value: true });
exports.plugin = void 0;
const plugin_entry_1 = require("openclaw/plugin-sdk/plugin-entry");
const core_1 = require("openclaw/plugin-sdk/core");
exports.plugin = (0, plugin_entry_1.definePluginEntry)({
  id: "word-count",
  name: "Word count",
  description: "Counts words.",
  register(api) {
    api.registerTool({
      name: "word_count",
      label: "Count words",
      description: "Counts the words of a text.",
      parameters: { type: "object", properties: { text: { type: "string" } } },
      execute: async (_toolCallId, params) =>
        (0, core_1.jsonResult)((0, core_1.readStringParam)(params, "text").split(" ").length),
    });
  },
});
exports.default = exports.plugin;
