// What the pre-turn guide of each channel costs, and that it stays in the prompt cache.
// usage: node docs/examples/channel-guidance-cost.mjs     (after `pnpm build`)
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const guides = new URL("../../extensions/channel-guidance/skills/", import.meta.url);
const { default: plugin } = await import("../../extensions/channel-guidance/dist/index.js");

let handler;
plugin.register({
  pluginConfig: {},
  resolvePath: (path) => path,
  on: (name, registered) => {
    if (name === "before_prompt_build") handler = registered;
  },
});

console.log("| channel | bytes | tokens, about | same bytes in 100 turns |");
console.log("|---|--:|--:|---|");
for (const skill of readdirSync(guides)) {
  const channel = skill.replace(/^channel-format-/, "");
  const digests = new Set();
  for (let turn = 0; turn < 100; turn++) {
    const { appendSystemContext } = handler({}, { messageProvider: channel, agentId: "main" });
    digests.add(createHash("sha256").update(appendSystemContext).digest("hex"));
  }
  const file = readFileSync(new URL(`${skill}/SKILL.md`, guides), "utf8");
  const text = file.split("---\n").slice(2).join("---\n").trim();
  // The usual estimate for English prose: four characters a token.
  const tokens = Math.ceil(text.length / 4);
  console.log(
    `| ${channel} | ${Buffer.byteLength(text)} | ${tokens} | ${digests.size === 1 ? "yes" : "no"} |`,
  );
}
