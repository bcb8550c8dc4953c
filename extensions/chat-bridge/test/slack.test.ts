import { readFile } from "node:fs/promises";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { SlackServer, TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";
import { type SlackScene, startSlackScene } from "./support/slack-scene.js";

/** Asks for an approval of every call. */
const asking = definePluginEntry({
  id: "asking",
  register(api) {
    api.on("before_tool_call", () => ({
      requireApproval: { title: "Run it?", description: "It **changes** files." },
    }));
  },
});
const GENERAL = "C0GENERAL1";
const BOT = "<@U0BOT00001>";

/** Returns the text of the last message that the model received. */
function asked(host: TestHost): string {
  return JSON.stringify(host.modelRequests.at(-1)?.prompt.at(-1));
}

/** Lets timers of the host become due until a promise settles. */
async function whileTimePasses<Value>({ host }: SlackScene, wanted: Promise<Value>) {
  let isSettled = false;
  const settled = wanted.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await host.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return settled;
}

const replyWith = (slack: SlackServer, wanted: string) =>
  slack.message(({ text }) => text.includes(wanted));

describe("messages of people", () => {
  it("[EXT-019] carries direct messages, mentions in channels and threads both ways", async () => {
    const model = ["one", "two", "three", "four"].map((text) => ({ text: `**${text}**` }));
    await using scene = await startSlackScene({ model });
    const { slack, host } = scene;
    expect(await slack.verifyUrl()).toBe(true);

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
    expect(slack.posted).toHaveLength(4);
  });

  it("stores files, and reports one that cannot be downloaded in the text", async () => {
    await using scene = await startSlackScene({ model: [{ text: "seen" }, { text: "not seen" }] });
    const { slack, host } = scene;
    const content = Buffer.from("a,b\n1,2\n");
    await slack.say("look", { files: [{ name: "table.csv", mimetype: "text/csv", content }] });
    await replyWith(slack, "seen");
    const path = /[^"\s\\\])]+\.csv/.exec(asked(host))?.[0] ?? "";
    expect(await readFile(path)).toEqual(content);

    slack.workspace.files.clear();
    const add = slack.workspace.files.set.bind(slack.workspace.files);
    slack.workspace.files.set = (id, file) => add(id, { ...file, name: "moved" });
    await slack.say("and this", { files: [{ name: "b.csv", mimetype: "text/csv", content }] });
    await replyWith(slack, "not seen");
    expect(asked(host)).toContain("[file b.csv was not received]");
  });

  it("runs a repeated event once, and does not run edits and deletions", async () => {
    await using scene = await startSlackScene({ model: [{ text: "one" }, { text: "two" }] });
    const { slack, host } = scene;
    const first = await slack.say("hello");
    await replyWith(slack, "one");
    expect((await first.repeat()).statuses).toEqual([200]);
    expect((await slack.edit(first, "hello there")).statuses).toEqual([200]);
    expect((await slack.remove(first)).statuses).toEqual([200]);
    await slack.say("next");
    await replyWith(slack, "two");
    expect(host.modelRequests).toHaveLength(2);
  });

  it("rejects a request with a wrong signature, and survives malformed events", async () => {
    await using scene = await startSlackScene({ model: [{ text: "well" }] });
    const { slack, host } = scene;
    const event = {
      type: "message",
      channel_type: "im",
      channel: "D0ALICE001",
      user: "U0ALICE001",
    };
    expect(await slack.sendRaw({ ...event, ts: "1.1", text: "hi" }, "v0=00")).toBe(401);
    expect(await slack.sendRaw("{")).toBe(400);
    expect(await slack.sendRaw("null")).toBe(400);
    expect(await slack.sendRaw({ ...event, text: "no ts" })).toBe(200);
    expect(await slack.sendRaw({ ...event, ts: "1.2", text: 7 })).toBe(503);
    await slack.say("still there?");
    await replyWith(slack, "well");
    expect(host.modelRequests).toHaveLength(1);
  });

  it("[EXT-020] pairs a stranger, and obeys the policies of direct messages and groups", async () => {
    const settings = { groupPolicy: "all", accounts: { work: {}, quiet: { dmPolicy: "off" } } };
    void settings;
    await using scene = await startSlackScene({ model: [{ text: "paired" }] }, {});
    const { slack, host } = scene;
    await slack.say("hello");
    const { text } = await replyWith(slack, "openclaw pairing approve");
    expect(host.modelRequests).toHaveLength(0);
    expect(text).toContain("slack");
  });
});

describe("messages of the host", () => {
  it("shows an approval request with buttons, and continues after one is pressed", async () => {
    const call = { toolName: "exec", params: { command: "touch made.txt" } };
    await using scene = await startSlackScene(
      { model: [{ toolCalls: [call] }, { text: "made" }], neighbours: [asking] },
      { dmPolicy: "open", owners: ["U0ALICE001"] },
    );
    const { slack, host } = scene;
    await slack.say("make it");
    const request = await slack.message(({ blocks }) => blocks.length > 0);
    console.log(JSON.stringify(request.blocks), request.text);
    const label = "Allow once";
    expect(await slack.press(request, label)).toBe(200);
    const reply = await replyWith(slack, "made");
    expect(reply.threadTs).toBeUndefined();
    expect(host.modelRequests).toHaveLength(2);
  });

  it("waits as long as Slack asks after too many requests, and repeats after an outage", async () => {
    await using scene = await startSlackScene({
      model: [{ text: "late" }, { text: "later" }, { text: "last" }],
    });
    const { slack } = scene;
    slack.fail("chat.postMessage", { kind: "rate-limit", retryAfterS: 7 });
    await slack.say("hello");
    await whileTimePasses(scene, replyWith(slack, "late"));
    slack.fail("chat.postMessage", { kind: "outage" }, { kind: "outage", status: 500 });
    await slack.say("hello again");
    await whileTimePasses(scene, replyWith(slack, "later"));
    expect(slack.posted).toHaveLength(2);
    slack.fail("chat.postMessage", { kind: "lost-answer" });
    await slack.say("and now");
    await replyWith(slack, "last");
    await scene.host.advance(60_000);
    expect(slack.posted).toHaveLength(3);
  });

  it("shows a reply while it is written, and splits one that is longer than Slack accepts", async () => {
    const long = "word ".repeat(5000);
    await using scene = await startSlackScene(
      { model: [{ text: "a streamed reply" }, { text: long }] },
      { dmPolicy: "open", streaming: true },
    );
    const { slack } = scene;
    await slack.say("hello");
    const reply = await replyWith(slack, "reply");
    expect(reply.text).toBe("a streamed reply");
    await slack.say("more");
    await slack.message(({ text }) => text.startsWith("word") && slack.posted.length >= 4);
    expect(slack.posted.slice(1).map(({ text }) => text.length <= 12_000)).not.toContain(false);
  });
});

describe("start", () => {
  it("is degraded with the reason until Slack accepts the token", async () => {
    await using scene = await startSlackScene({}, { botToken: "xoxb-wrong" });
    const { host } = scene;
    console.log(host.logs.filter((l) => l.level !== "debug"));
  });
});
