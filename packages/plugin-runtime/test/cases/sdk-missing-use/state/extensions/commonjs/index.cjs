const sdk = require("openclaw/plugin-sdk/plugin-entry");
const { runCommand } = require("openclaw/plugin-sdk/no-such-part");
let optional = "absent";
try {
  optional = require("openclaw/plugin-sdk/also-none");
} catch {}

class Runner extends sdk.BaseRunner {}

module.exports = {
  name: `${optional} ${typeof sdk.detected}`,
  register(api) {
    api.registerTool({
      name: "run",
      description: "Runs.",
      parameters: { type: "object", properties: {} },
      execute: async () => runCommand(new Runner()),
    });
  },
};
