import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SlackServer, startSlackServer } from "@openclaw/platform-fakes";
import {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
  ChannelStartupFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slack as preset } from "../../src/presets/slack.js";
import { configuredPlatform } from "../../src/settings.js";
import { DirectChannel } from "../support/direct-channel.js";
import { slackManifest } from "../support/slack-manifest.js";

const GENERAL = "C0GENERAL1";

let slack: SlackServer;
let direct: DirectChannel;

beforeAll(async () => {
  slack = await startSlackServer({
    manifest: slackManifest,
    request: (url, init) => {
      url.pathname = `/plugins/chat-bridge/${direct.channel.name}`;
      return direct.request(url, init);
    },
  });
  slack.addChannel(GENERAL);
  direct = await new DirectChannel(preset, settings()).start();
});

afterAll(async () => {
  await direct[Symbol.asyncDispose]();
  await slack.close();
});

function settings() {
  const { botToken, signingSecret, apiUrl } = slack;
  return { botToken, signingSecret, apiUrl };
}

async function received(text: string, speech: Parameters<SlackServer["say"]>[1] = {}) {
  const said = slack.say(text, speech);
  const message = await direct.take();
  await said;
  return message;
}

describe("receiving", () => {
  it("answers the challenge of Slack", async () => {
    expect(await slack.verifyUrl()).toBe(true);
  });

  it("names the conversation, the thread, the sender and the mention", async () => {
    expect(await received("hi")).toMatchObject({
      channel: "slack",
      accountId: "default",
      conversationId: "D0ALICE001",
      userId: "U0ALICE001",
      userName: "Alice",
      content: "hi",
      isMention: false,
      isBot: false,
    });
    const text = "<@U0BOT00001> /status";
    const said = slack.say(text, { channel: GENERAL });
    const [first, second] = [await direct.take(), await direct.take()];
    const { ts } = await said;
    expect(first).toMatchObject({
      conversationId: GENERAL,
      threadId: `${GENERAL}:${ts}`,
      room: { kind: "channel", id: GENERAL },
      content: "/status",
      isMention: true,
      externalId: ts,
    });
    // The host recognises the repeat by these.
    expect(second).toMatchObject({ id: first.id, externalId: first.externalId });
  });

  it("rejects wrong signatures and malformed events, and continues", async () => {
    const event = {
      type: "message",
      channel_type: "im",
      channel: "D0ALICE001",
      user: "U0ALICE001",
    };
    expect(await slack.sendRaw({ ...event, ts: "1.1", text: "hi" }, "v0=00")).toBe(401);
    expect(await slack.sendRaw("{")).toBe(400);
    expect(await slack.sendRaw("null")).toBe(400);
    expect(await slack.sendRaw({ ...event, text: "without a timestamp" })).toBe(200);
    expect(await slack.sendRaw({ ...event, ts: "1.2", text: 7 })).toBe(503);
    expect(await received("still there?")).toMatchObject({ content: "still there?" });
  });

  it("[CHAN-013] answers with 503 until the host has stored the message, and takes the repeat", async () => {
    const said = slack.say("do not lose me");
    await direct.peek();
    await direct.stop();
    const delivery = await said;
    expect(delivery.statuses).toEqual([503]);
    expect((await delivery.repeat()).statuses).toEqual([503]);
    await direct.start();
    const repeated = delivery.repeat();
    expect(await direct.take()).toMatchObject({ content: "do not lose me" });
    expect((await repeated).statuses).toEqual([200]);
    // Slack sends it again when our answer was lost.
    expect((await delivery.repeat()).statuses).toEqual([200]);
    expect(await received("next")).toMatchObject({ content: "next" });
  });

  it("ignores edits, deletions and its own messages", async () => {
    const said = slack.say("first");
    await direct.take();
    const first = await said;
    expect((await slack.edit(first, "first, edited")).statuses).toEqual([200]);
    expect((await slack.remove(first)).statuses).toEqual([200]);
    const own = { type: "message", channel_type: "im", channel: "D0ALICE001", text: "mine" };
    expect(await slack.sendRaw({ ...own, user: "U0BOT00001", ts: "2.1" })).toBe(200);
    expect(await received("second")).toMatchObject({ content: "second" });
    const other = { ...own, user: "U0ROBOT001", bot_id: "B0ROBOT001", ts: "2.2" };
    const sent = slack.sendRaw(other);
    expect(await direct.take()).toMatchObject({ isBot: true });
    expect(await sent).toBe(200);
  });

  it("takes a slash command as a command of the host, and a button as its value", async () => {
    const command = slack.command("/openclaw", "status", GENERAL);
    expect(await direct.take()).toMatchObject({ content: "/status", conversationId: GENERAL });
    expect(await command).toBe(200);
    const buttons = [[{ label: "Yes", value: "/approve ABC" }]];
    const { messageId } = await direct.channel.broadcast("U0ALICE001", {
      content: "Sure?",
      buttons,
    });
    const shown = await slack.message(({ ts }) => ts === messageId);
    const pressed = slack.press(shown, "Yes");
    const message = await direct.take();
    expect(message).toMatchObject({ content: "/approve ABC", conversationId: "D0ALICE001" });
    expect(message).not.toHaveProperty("threadId");
    expect(await pressed).toBe(200);
  });
});

describe("sending", () => {
  it("posts, edits, deletes and reacts where it is told", async () => {
    const { channel } = direct;
    const { messageId = "" } = await channel.broadcast(GENERAL, { content: "# Hi" });
    const message = { conversationId: GENERAL, messageId };
    await channel.edit?.(message, { content: "changed" });
    await channel.react(message, "👍");
    const shown = slack.workspace.find(GENERAL, messageId);
    expect(shown).toMatchObject({ text: "changed", earlier: ["# Hi"], reactions: ["+1"] });
    await channel.remove?.(message);
    expect(shown?.isDeleted).toBe(true);
    await channel.healthCheck("default");
    slack.fail("auth.test", { kind: "outage" });
    await expect(channel.healthCheck("default")).rejects.toMatchObject({ status: 503 });
  });

  it("sends files and a long text with buttons within the limits of Slack", async () => {
    const path = join(tmpdir(), "bridge-report.txt");
    writeFileSync(path, "report");
    const attachments = [{ path, name: "report.txt", mimeType: "text/plain", bytes: 6 }];
    const message = await received("send it");
    await direct.channel.respond(message, { content: "Here", attachments });
    const file = await slack.message(({ files }) => files.length > 0);
    expect(file).toMatchObject({ channel: "D0ALICE001", files: [{ name: "report.txt" }] });
    expect(Buffer.from(file.files[0]?.content ?? []).toString()).toBe("report");
    const buttons = [[{ label: "Yes", value: "y" }]];
    const content = "line of text\n".repeat(600);
    const { messageId } = await direct.channel.respond(message, { content, buttons });
    const shown = await slack.message(({ ts }) => ts === messageId);
    expect(shown.blocks).toHaveLength(4);
  });

  it("reports which failures a repeat can solve", async () => {
    const send = () => direct.channel.broadcast(GENERAL, { content: "hello" });
    slack.fail("chat.postMessage", { kind: "rate-limit", retryAfterS: 7 });
    const limited = await send().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(ChannelRateLimitedError);
    expect(limited).toMatchObject({ retryable: true, retryAfterMs: 7000 });
    slack.fail("chat.postMessage", { kind: "outage" });
    const outage = await send().catch((error: unknown) => error);
    expect(outage).toBeInstanceOf(ChannelHttpError);
    expect(outage).toMatchObject({ retryable: true, status: 503 });
    // The message may have been posted, and would appear twice.
    slack.fail("chat.postMessage", { kind: "lost-answer" });
    const lost = await send().catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(ChannelSendFailedError);
    expect(lost).toMatchObject({ retryable: false });
    const thread = direct.channel.broadcast(GENERAL, { content: "hi", threadId: `${GENERAL}:9.9` });
    await expect(thread).rejects.toMatchObject({ retryable: false });
    await expect(thread).rejects.toThrow("thread_not_found");
    await expect(direct.channel.broadcast("C0UNKNOWN1", { content: "hi" })).rejects.toThrow(
      "channel_not_found",
    );
  });
});

it("[EXT-019] makes any adapter a channel by the name of its package and its options", async () => {
  const section = { adapter: "@chat-adapter/slack@4.41.1", options: settings() };
  const generic = new DirectChannel(configuredPlatform("work-chat", section), section);
  const usual = direct;
  try {
    direct = generic;
    await generic.start();
    expect(generic.channel.capabilities).toEqual({
      textLimit: 2000,
      buttons: false,
      streaming: false,
    });
    const message = await received("hello", { channel: GENERAL });
    expect(message).toMatchObject({ channel: "work-chat", room: { id: GENERAL } });
    const { messageId } = await generic.channel.respond(message, { content: "hi" });
    const shown = await slack.message(({ ts }) => ts === messageId);
    expect(shown).toMatchObject({ channel: GENERAL, text: "hi" });
  } finally {
    direct = usual;
    await generic[Symbol.asyncDispose]();
  }
});

describe("starting", () => {
  const started = (given: Readonly<Record<string, unknown>>) =>
    new DirectChannel(preset, given).start().catch((error: unknown) => error);

  it("names a missing setting and a rejected token", async () => {
    const missing = await started({ ...settings(), signingSecret: " " });
    expect(missing).toBeInstanceOf(ChannelStartupFailedError);
    expect(String(missing)).toContain("channels.slack.signingSecret is missing");
    const rejected = await started({ ...settings(), botToken: "xoxb-wrong" });
    expect(rejected).toBeInstanceOf(ChannelAuthFailedError);
    expect(String(rejected)).toContain("invalid_auth");
    const apiUrl = "http://127.0.0.1:1/api/";
    expect(await started({ ...settings(), apiUrl })).toBeInstanceOf(ChannelDisconnectedError);
  });

  it("[EXT-019] names the command that installs a missing adapter", async () => {
    const elsewhere = new DirectChannel(preset, settings(), {
      folders: [join(tmpdir(), "no adapters")],
    });
    const missing = await elsewhere.start().catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ChannelStartupFailedError);
    expect(String(missing)).toMatch(
      /npm install --prefix "[^"]+no adapters" @chat-adapter\/slack@4\.41\.1/,
    );
  });

  it("answers requests for a channel that does not run with 503, and for others with 404", async () => {
    const idle = new DirectChannel(preset, settings());
    const status = async (path: string) =>
      (await idle.request(new URL(`https://host/plugins/chat-bridge/${path}`), { method: "POST" }))
        .status;
    expect([await status("slack"), await status("slack/x/y"), await status("other")]).toEqual([
      503, 404, 404,
    ]);
    await expect(idle.channel.healthCheck("default")).rejects.toThrow("is not running");
    await expect(idle.channel.broadcast(GENERAL, { content: "" })).rejects.toMatchObject({
      retryable: true,
    });
  });
});
