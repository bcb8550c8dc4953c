// Measures what the guide of each channel costs in each mode: tokens, and how much of a prompt a provider's cache covers.
// usage: node docs/examples/channel-guidance-cost.mjs     (after `pnpm build`)
// It sends conversations through a test host, whose model needs no network, so that every run prints the same figures.
import { readdirSync } from "node:fs";
import channelGuidance from "../../extensions/channel-guidance/dist/index.js";
import { createFakeChannel, createTestHost } from "../../packages/plugin-testkit/dist/index.js";

const TURNS = 10;
const MODES = ["turn", "description", "skill"];
// Always the same, so that the figures do not depend on the machine.
const TOOLS = ["edit", "message", "read", "skill", "write"];
const WORKSPACE = "/workspace";

const folder = new URL("../../extensions/channel-guidance/", import.meta.url);
const channels = readdirSync(new URL("skills/", folder))
  .map((skill) => skill.replace(/^channel-format-/, ""))
  .sort();

/** Returns the estimate that is usual for English prose: four characters a token. */
const tokens = (length) => Math.ceil(length / 4);

/** Returns a request in the order in which providers cache it: tools, system prompt, conversation. */
function promptOf({ tools = [], prompt }, workspaceDir) {
  const text = JSON.stringify([tools, prompt]).replaceAll(workspaceDir, WORKSPACE);
  // A line break is one character of the text.
  return text.replaceAll("\\n", "\n");
}

function commonLength(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * Returns the prompts of a conversation on each channel.
 * @param mode - mode of the extension; undefined for a host without it
 */
async function promptsOf(mode) {
  const nothing = { id: "nothing", register() {} };
  const host = await createTestHost({
    plugin: mode === undefined ? nothing : folder,
    pluginConfig: mode === undefined ? {} : { mode },
    config: {
      channels: { target: {} },
      tools: { allow: TOOLS },
    },
    neighbours: [createFakeChannel({ name: "target" }).asPlugin()],
    model: () => ({ text: "Here is the answer that you asked for." }),
  });
  try {
    const conversations = new Map();
    for (const channel of channels) {
      const before = host.modelRequests.length;
      for (let turn = 1; turn <= TURNS; turn += 1) {
        const sender = { senderId: "user", conversationId: "user", isOwner: true };
        await host.receive({ ...sender, channel, text: `Please answer question ${turn}.` });
      }
      const requests = host.modelRequests.slice(before);
      conversations.set(
        channel,
        requests.map((each) => promptOf(each, host.workspaceDir)),
      );
    }
    return conversations;
  } finally {
    await host.dispose();
  }
}

/** Returns what a call that writes to a channel from another one adds to its result. */
function callCost(channel) {
  const handlers = new Map();
  channelGuidance.register({
    pluginConfig: {},
    resolvePath: (path) => path,
    on: (name, handler) => handlers.set(name, handler),
  });
  const call = { toolName: "message", params: { channel } };
  return tokens(
    handlers.get("before_tool_call")(call, { messageProvider: "another" }).guidance.length,
  );
}

const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Returns the share of the prompts after the first that a cache of the prompt before covers. */
function laterHits(prompts) {
  const later = prompts.slice(1);
  const covered = later.map((prompt, index) => commonLength(prompt, prompts[index]));
  return percent(total(covered), total(later.map(({ length }) => length)));
}

/** Returns the share of the first prompt on each channel that the prompts of the channel before cover. */
function newChannelHits(conversations) {
  const firsts = [...conversations.values()].map(([first]) => first);
  const covered = firsts.slice(1).map((prompt, index) => commonLength(prompt, firsts[index]));
  return percent(total(covered), total(firsts.slice(1).map(({ length }) => length)));
}

const bare = await promptsOf(undefined);
const measured = new Map();
for (const mode of MODES) measured.set(mode, await promptsOf(mode));

console.log("| channel | turn | description | skill | call to it |");
console.log("|---|--:|--:|--:|--:|");
for (const channel of channels) {
  const [without = ""] = bare.get(channel);
  const cells = MODES.map((mode) => {
    const [first = ""] = measured.get(mode).get(channel);
    return tokens(first.length - without.length);
  });
  console.log(`| ${[channel, ...cells, callCost(channel)].join(" | ")} |`);
}
console.log("");
console.log("| mode | later turns of a conversation | first turn on another channel |");
console.log("|---|--:|--:|");
for (const [name, conversations] of [["none", bare], ...measured]) {
  const later = [...conversations.values()].flat();
  const hits = laterHits([...conversations.values()][0]);
  if (later.length !== channels.length * TURNS) throw new Error(`${name}: a turn has no request`);
  console.log(`| ${[name, hits, newChannelHits(conversations)].join(" | ")} |`);
}
