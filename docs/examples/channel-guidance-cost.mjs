// What the guide of each channel costs in each mode, and that it stays in the prompt cache.
// usage: node docs/examples/channel-guidance-cost.mjs     (after `pnpm build`)
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";

const TURNS = 100;
const guides = new URL("../../extensions/channel-guidance/skills/", import.meta.url);
const { default: plugin } = await import("../../extensions/channel-guidance/dist/index.js");

/** Registers the plugin, and returns what it adds to every turn on a channel. */
function addition(mode) {
  const handlers = new Map();
  const described = [];
  plugin.register({
    pluginConfig: { mode },
    resolvePath: (path) => path,
    on: (name, registered) => handlers.set(name, registered),
    registerToolMetadata: (metadata) => void described.push(metadata),
  });
  return {
    everyTurn(channel) {
      const event = { messageProvider: channel, agentId: "main" };
      const prompt = handlers.get("before_prompt_build")({}, event)?.appendSystemContext ?? "";
      const session = { messageChannel: channel, agentId: "main" };
      return prompt + described.map((each) => each.modelDescription(session) ?? "").join("");
    },
    call(own, channel) {
      const event = { toolName: "message", params: { channel } };
      return handlers.get("before_tool_call")(event, { messageProvider: own })?.guidance ?? "";
    },
  };
}

// The usual estimate for English prose: four characters a token.
const tokens = (text) => Math.ceil(text.length / 4);
const modes = ["turn", "description", "skill"];
const plugins = new Map(modes.map((mode) => [mode, addition(mode)]));

console.log("| channel | turn | description | skill | call to it | same bytes in 100 turns |");
console.log("|---|--:|--:|--:|--:|---|");
for (const skill of readdirSync(guides)) {
  const channel = skill.replace(/^channel-format-/, "");
  const digests = new Set();
  const cells = modes.map((mode) => {
    let text = "";
    for (let turn = 0; turn < TURNS; turn++) {
      text = plugins.get(mode).everyTurn(channel);
      digests.add(mode + createHash("sha256").update(text).digest("hex"));
    }
    return tokens(text);
  });
  const call = tokens(plugins.get("turn").call("another", channel));
  const isSame = digests.size === modes.length;
  console.log(`| ${[channel, ...cells, call, isSame ? "yes" : "no"].join(" | ")} |`);
}
