import { readFile } from "node:fs/promises";
import type { SlackServer } from "@openclaw/platform-fakes";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { TestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";
import { installCommand } from "../../src/adapter/package.js";
import { slack as preset } from "../../src/presets/slack.js";
import { platformPage, storedSettings } from "../support/page.js";
import { startSlackScene } from "../support/slack-scene.js";

const GENERAL = "C0GENERAL1";
const BOT = "<@U0BOT00001>";

/** Asks for an approval of every call. */
const asking = definePluginEntry({
  id: "asking",
  register(api) {
    api.on("before_tool_call", () => ({
      requireApproval: { title: "Run it?", description: "It **changes** files." },
    }));
  },
});

/** Returns the text of the last message that the model received. */
function asked(host: TestHost): string {
  return JSON.stringify(host.modelRequests.at(-1)?.prompt.at(-1));
}

const replyWith = (slack: SlackServer, wanted: string) =>
  slack.message(({ text }) => text.includes(wanted));

it("[EXT-019] carries direct messages, mentions, threads and files from Slack to the agent and back", async () => {
  const model = ["one", "two", "three", "four", "five", "six"].map((word) => ({
    text: `**${word}**`,
  }));
  await using scene = await startSlackScene({ model });
  const { slack, host } = scene;

  const direct = await slack.say("see <https://example.com/a|this page> and `code`");
  expect(direct.statuses).toEqual([200]);
  expect(await replyWith(slack, "one")).toMatchObject({ channel: "D0ALICE001", text: "**one**" });
  expect(asked(host)).toContain("see [this page](https://example.com/a) and `code`");

  slack.addChannel(GENERAL);
  await slack.say("not for the bot", { channel: GENERAL });
  // Slack sends a mention twice, as a message and as a mention; it is answered once, in a thread.
  const mention = await slack.say(`${BOT} hello`, { channel: GENERAL });
  expect(mention.statuses).toEqual([200, 200]);
  expect(await replyWith(slack, "two")).toMatchObject({ channel: GENERAL, threadTs: mention.ts });
  expect(asked(host)).toContain('"hello"');

  await slack.say(`${BOT} more`, { channel: GENERAL, threadTs: mention.ts });
  expect(await replyWith(slack, "three")).toMatchObject({ threadTs: mention.ts });
  // The thread is one session, and another mention begins another one.
  expect(JSON.stringify(host.modelRequests[2]?.prompt)).toContain("hello");
  const other = await slack.say(`${BOT} again`, { channel: GENERAL });
  expect(await replyWith(slack, "four")).toMatchObject({ threadTs: other.ts });
  expect(JSON.stringify(host.modelRequests[3]?.prompt)).not.toContain("hello");
  expect(slack.api.statuses.map(({ threadTs }) => threadTs)).toContain(other.ts);

  const content = Buffer.from("a,b\n1,2\n");
  const table = { name: "table.csv", mimetype: "text/csv", content };
  await slack.say("look", { files: [table] });
  await replyWith(slack, "five");
  const [, path = ""] = /\(text\/csv, 8 bytes\), ([^\]]+)\]/.exec(asked(host)) ?? [];
  expect(await readFile(path)).toEqual(content);
  slack.loseFiles();
  await slack.say("and this", { files: [table] });
  await replyWith(slack, "six");
  expect(asked(host)).toContain("[file table.csv was not received]");
  expect(slack.posted).toHaveLength(6);
});

it("[SAFE-511] passes a message of Slack to the model without its tag characters and bidirectional controls", async () => {
  await using scene = await startSlackScene({ model: [{ text: "seen" }] });
  const { slack, host } = scene;
  await slack.say("pay \u202e001\u202c now\u{e0069}\u{e0067}");
  await replyWith(slack, "seen");
  expect(asked(host)).toContain(
    "pay 001 now\\n[4 invisible characters removed: bidirectional controls, tag characters]",
  );
  expect(asked(host)).not.toMatch(/[\u202a-\u202e\u{e0000}-\u{e007f}]/u);
});

it("connects Slack by the ten steps of its page, pairs the first user and keeps accounts apart", async () => {
  const page = platformPage("slack");
  expect(page.steps).toHaveLength(10);
  // Step 1 is the command of the message about a missing adapter.
  expect(page.commands[0]).toBe(
    installCommand(preset.adapter, "~/.openclaw/chat-adapters").replaceAll('"', ""),
  );
  // Steps 2 to 6: the fake has the app of the manifest, and the settings are the stored ones.
  expect(storedSettings(page)).toEqual(Object.keys(preset.required));
  await using scene = await startSlackScene(
    { model: [{ text: "welcome" }, { text: "in the channel" }] },
    { accounts: { default: {}, closed: { dmPolicy: "off" } } },
  );
  const { slack, host } = scene;
  const call = (method: string, body: object) =>
    host.request(`/api/v1/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": method },
      body: JSON.stringify(body),
    });
  // Steps 7 and 8.
  expect(await slack.verifyUrl()).toBe(true);
  expect((await call("channels/test", { channel: "slack" })).status).toBe(200);
  // Step 9.
  await slack.say("hi");
  const { text } = await replyWith(slack, "openclaw pairing approve slack");
  const [, code = ""] = /approve slack (\w+)/.exec(text) ?? [];
  slack.addChannel(GENERAL);
  await slack.say(`${BOT} hello`, { channel: GENERAL });
  scene.account = "closed";
  await slack.say("hello");
  scene.account = "default";
  expect(slack.posted).toHaveLength(1);
  expect((await call("pairing/approve", { channel: "slack", code })).status).toBe(200);
  await slack.say("hi");
  await replyWith(slack, "welcome");
  // Step 10.
  const mention = await slack.say(`${BOT} hi`, { channel: GENERAL });
  expect(await replyWith(slack, "in the channel")).toMatchObject({ threadTs: mention.ts });
  expect(host.modelRequests).toHaveLength(2);
});

it("[EXT-020] obeys the policies for direct messages and groups of each account, and the tools of a group", async () => {
  await using scene = await startSlackScene(
    { model: [{ text: "to Alice" }, { text: "to the channel" }] },
    {
      allowFrom: ["U0ALICE001"],
      groups: { [GENERAL]: { tools: { deny: ["exec"] } } },
      accounts: {
        default: { dmPolicy: "allowlist", groupPolicy: "all" },
        closed: { dmPolicy: "off", groupPolicy: "off" },
      },
    },
  );
  const { slack, host } = scene;
  slack.addChannel(GENERAL);
  scene.account = "closed";
  await slack.say("hello");
  await slack.say(`${BOT} hello`, { channel: GENERAL });
  scene.account = "default";
  await slack.say("hi");
  await replyWith(slack, "to Alice");
  // Without a mention, because the policy is all.
  await slack.say("hi all", { channel: GENERAL });
  await replyWith(slack, "to the channel");
  const [direct, group] = host.modelRequests.map(({ tools = [] }) => tools.map(({ name }) => name));
  expect(direct).toContain("exec");
  expect(group).not.toContain("exec");
  expect(host.modelRequests).toHaveLength(2);
});

it("shows an approval request with buttons, and continues once after one is pressed twice", async () => {
  const call = { toolName: "exec", params: { command: "touch made.txt" } };
  await using scene = await startSlackScene(
    { model: [{ toolCalls: [call] }, { text: "finished" }], neighbours: [asking] },
    { dmPolicy: "open", owners: ["U0ALICE001"] },
  );
  const { slack, host } = scene;
  await slack.say("make it");
  const request = await slack.message(({ blocks }) => blocks.length > 0);
  const press = () => slack.press(request, "Allow once");
  expect(await Promise.all([press(), press()])).toEqual([200, 200]);
  // Outside a thread, as the request was.
  expect(await replyWith(slack, "finished")).toMatchObject({ threadTs: undefined });
  expect(await slack.command("/openclaw", "status")).toBe(200);
  await replyWith(slack, "model");
  expect(request.blocks).toHaveLength(0);
  expect(host.modelRequests).toHaveLength(2);
});
