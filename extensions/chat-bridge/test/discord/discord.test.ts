import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DiscordServer, startDiscordServer } from "@openclaw/platform-fakes";
import {
  ChannelAuthFailedError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installCommand } from "../../src/adapter/package.js";
import { createChatBridge } from "../../src/index.js";
import { discord as preset } from "../../src/presets/discord.js";
import { DirectChannel } from "../support/direct-channel.js";
import { transportTo } from "../support/file-transport.js";
import { platformPage, storedSettings } from "../support/page.js";

const BOT = "<@1000000000000000001>";
const GUILD = "1100000000000000001";

let discord: DiscordServer;
let direct: DirectChannel;
let host: TestHost | undefined;

beforeAll(async () => {
  discord = await startDiscordServer({
    interactionsUrl: "https://gateway.example/plugins/chat-bridge/discord",
    request: (url, init) =>
      host === undefined
        ? direct.request(url, init)
        : host.request(url.pathname, { ...init, authenticated: false }),
  });
  direct = await new DirectChannel(preset, settings(), { adapterOptions: transport() }).start();
});

afterAll(async () => {
  await direct[Symbol.asyncDispose]();
  await discord.close();
});

function settings() {
  const { botToken, applicationId, publicKey, apiUrl } = discord;
  return { botToken, applicationId, publicKey, apiUrl };
}

function transport() {
  return { fileTransport: transportTo(() => discord.origin) };
}

it("names conversations and threads, and answers a mention in a thread", async () => {
  const { alice, general } = discord;
  discord.say("hi");
  const message = await direct.take();
  expect(message).toMatchObject({
    channel: "discord",
    conversationId: `@me:${discord.guild.direct(alice.id).id}`,
    userId: alice.id,
    userName: "alice",
    content: "hi",
    isMention: false,
    isBot: false,
  });
  expect(message).not.toHaveProperty("room");
  discord.say("@everyone look", { channelId: general.id });
  expect(await direct.take()).toMatchObject({
    conversationId: `${GUILD}:${general.id}`,
    room: { kind: "channel", id: `${GUILD}:${general.id}` },
    isMention: false,
  });
  const asked = discord.say(`${BOT} /status`, { channelId: general.id });
  const mention = await direct.take();
  expect(mention).toMatchObject({
    threadId: `${GUILD}:${general.id}:${asked.id}`,
    content: "/status",
    isMention: true,
    externalId: asked.id,
  });
  const { messageId } = await direct.channel.respond(mention, { content: "**fine**" });
  const reply = await discord.message(({ id }) => id === messageId);
  expect(reply).toMatchObject({ channelId: asked.id, content: "**fine**" });
  await direct.channel.sendStatus({ kind: "thinking", text: "Thinking" }, null, mention);
  expect(discord.rest.typing).toEqual([asked.id]);
  discord.say("in the thread", { channelId: asked.id });
  expect(await direct.take()).toMatchObject({
    threadId: `${GUILD}:${general.id}:${asked.id}`,
    isMention: false,
  });
  discord.say("beep", { user: { id: "1000000000000000077", username: "robot", bot: true } });
  expect(await direct.take()).toMatchObject({ isBot: true });
});

it("changes, deletes and reacts, and carries files both ways", async () => {
  const { alice, general } = discord;
  const { channel } = direct;
  const to = `${GUILD}:${general.id}`;
  const { messageId = "" } = await channel.broadcast(to, { content: "one" });
  const message = { conversationId: to, messageId };
  await channel.edit?.(message, { content: "two" });
  await channel.react(message, "👍");
  const shown = await discord.message(({ id }) => id === messageId);
  expect(shown).toMatchObject({ content: "two", earlier: ["one"], reactions: ["👍"] });
  await channel.remove?.(message);
  expect(shown.isDeleted).toBe(true);

  const path = join(tmpdir(), "bridge-discord.txt");
  writeFileSync(path, "report");
  const attachments = [{ path, name: "report.txt", mimeType: "text/plain", bytes: 6 }];
  const sent = await channel.broadcast(alice.id, { content: "Here", attachments });
  const upload = await discord.message(({ id }) => id === sent.messageId);
  expect(upload).toMatchObject({ content: "Here", files: [{ name: "report.txt" }] });
  expect(Buffer.from(upload.files[0]?.content ?? []).toString()).toBe("report");

  const content = Buffer.from("a,b");
  const written = discord.say("look", { files: [{ name: "a.csv", type: "text/csv", content }] });
  expect(await direct.take()).toMatchObject({ content: "look", attachments: [{ bytes: 3 }] });
  discord.say("lost", { files: [{ name: "b.csv", type: "text/csv", content }] }).isDeleted = true;
  expect(await direct.take()).toMatchObject({ content: "lost\n[file b.csv was not received]" });
  expect(written.files).toHaveLength(1);
});

it("takes a pressed button as its value, and rejects wrong signatures", async () => {
  expect(await discord.verifyUrl()).toBe(true);
  const buttons = [
    [
      { label: "Allow once", value: "/approve ABCDEF" },
      { label: "Always allow", value: "/approve ABCDEF always" },
    ],
  ];
  const { messageId } = await direct.channel.broadcast(discord.alice.id, {
    content: "Run it?",
    buttons,
  });
  const shown = await discord.message(({ id }) => id === messageId);
  expect(shown.embeds.join("\n") + shown.content).toContain("Run it?");
  const pressed = discord.press(shown, "Always allow");
  expect(await direct.take()).toMatchObject({
    content: "/approve ABCDEF always",
    userId: discord.alice.id,
    conversationId: `@me:${discord.guild.direct(discord.alice.id).id}`,
  });
  expect(await pressed).toBe(200);
});

it("resumes after an interruption, and receives after a restart what was not stored", async () => {
  discord.gateway.disconnect();
  discord.say("while disconnected");
  expect(await direct.take()).toMatchObject({ content: "while disconnected" });
  expect(discord.gateway.resumed).toBe(1);
  discord.gateway.requestReconnect();
  discord.say("while it connects again");
  expect(await direct.take()).toMatchObject({ content: "while it connects again" });

  const first = discord.say("stored");
  expect(await direct.take()).toMatchObject({ content: "stored" });
  discord.say("not stored");
  expect(await direct.peek()).toMatchObject({ content: "not stored" });
  await direct.stop();
  discord.say("while it did not run");
  await direct.start();
  const contents = [(await direct.take()).content, (await direct.take()).content];
  expect(contents).toEqual(["not stored", "while it did not run"]);
  // The host recognises the repeat by its ID.
  discord.repeat(first);
  expect(await direct.take()).toMatchObject({ externalId: first.id });
});

it("reports which failures a repeat can solve", async () => {
  const to = `${GUILD}:${discord.general.id}`;
  const send = (content = "hello") =>
    direct.channel.broadcast(to, { content }).catch((error: unknown) => error);
  discord.fail({ kind: "rate-limit", retryAfterS: 1.5 });
  const limited = await send();
  expect(limited).toBeInstanceOf(ChannelRateLimitedError);
  expect(limited).toMatchObject({ retryAfterMs: 1500, retryable: true });
  discord.fail({ kind: "outage" });
  const outage = await send();
  expect(outage).toBeInstanceOf(ChannelHttpError);
  expect(outage).toMatchObject({ status: 503, retryable: true });
  discord.fail({ kind: "lost-answer" });
  const lost = await send();
  expect(lost).toBeInstanceOf(ChannelSendFailedError);
  expect(lost).toMatchObject({ retryable: false });
  // Discord refuses an empty message, so none is sent.
  expect(await send("")).toEqual({});
  const { id } = discord.guild.addChannel({ type: 0 });
  discord.deny(id, "permissions");
  const denied = direct.channel.broadcast(`${GUILD}:${id}`, { content: "hi" });
  await expect(denied).rejects.toMatchObject({ status: 403, retryable: false });
  const unknown = direct.channel.broadcast(`${GUILD}:1`, { content: "hi" });
  await expect(unknown).rejects.toThrow("Unknown Channel");
  await direct.channel.healthCheck("default");
});

it("[EXT-740] a repeat after a limited rate sends only the messages that were not sent", async () => {
  let now = Date.now();
  discord.rates.enforce(() => now);
  const to = `${GUILD}:${discord.general.id}`;
  const channel = direct.channel;
  for (const content of ["one", "two", "three"]) await channel.broadcast(to, { content });
  const attachments = Array.from({ length: 22 }, (_, index) => {
    const name = `part-${index}.txt`;
    const path = join(tmpdir(), `discord-${process.pid}-${name}`);
    writeFileSync(path, "x");
    return { path, name, mimeType: "text/plain", bytes: 1 };
  });
  const message = { content: "many files", attachments, idempotencyKey: "key" };
  const before = discord.guild.messages.all.length;
  const limited = channel.broadcast(to, message);
  await expect(limited).rejects.toMatchObject({ retryAfterMs: 5000, retryable: true });
  now += 5000;
  await channel.broadcast(to, message);
  const sent = discord.guild.messages.all.slice(before);
  expect(sent.map(({ files }) => files.length)).toEqual([10, 10, 2]);
  expect(discord.rates).toMatchObject({ rejected: 1, early: 0 });
  // The other tests are not limited.
  discord.rates.enforce(() => {
    now += 60_000;
    return now;
  });
});

it("names a rejected token, a missing setting and a missing intent at the start", async () => {
  const start = (given: object) =>
    new DirectChannel(preset, { ...settings(), ...given }).start().catch((e: unknown) => e);
  expect(String(await start({ publicKey: "" }))).toContain("channels.discord.publicKey is missing");
  expect(String(await start({ botToken: "abc…def" }))).toContain(
    "channels.discord.botToken is not valid: its character 4, U+2026, cannot be sent",
  );
  expect(await start({ botToken: "wrong" })).toBeInstanceOf(ChannelAuthFailedError);
  await using strict = await startDiscordServer({
    interactionsUrl: "https://gateway.example/plugins/chat-bridge/discord",
    request: fetch,
    hasMessageContent: false,
  });
  const { botToken, apiUrl } = strict;
  expect(String(await start({ botToken, apiUrl }))).toContain("disallowed intents");
});

it("[EXT-019] connects Discord by the ten steps of its page, pairs the first user and asks for an approval", async () => {
  const page = platformPage("discord");
  expect(page.steps).toHaveLength(10);
  expect(page.commands[0]).toBe(
    installCommand(preset.adapter, "~/.openclaw/chat-adapters").replaceAll('"', ""),
  );
  expect(storedSettings(page).toSorted()).toEqual(Object.keys(preset.required).toSorted());
  const asking = definePluginEntry({
    id: "asking",
    register(api) {
      api.on("before_tool_call", () => ({ requireApproval: { title: "Run?", description: "" } }));
    },
  });
  const { alice, general } = discord;
  const bob = { id: "1000000000000000043", username: "bob", bot: false };
  const call = { toolName: "exec", params: { command: "touch made.txt" } };
  const running = await createTestHost({
    plugin: createChatBridge({ adapterOptions: transport() }),
    neighbours: [asking],
    config: { channels: { discord: { ...settings(), owners: [alice.id] } } },
    model: [
      { text: "welcome" },
      { text: "in the thread" },
      { toolCalls: [call] },
      { text: "finished" },
    ],
  });
  host = running;
  try {
    const request = (method: string, body: object) =>
      running.request(`/api/v1/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": method },
        body: JSON.stringify(body),
      });
    const reply = (wanted: string) => discord.message(({ content }) => content.includes(wanted));
    // Steps 7 and 8.
    while (!(await discord.verifyUrl())) await running.advance(1000);
    expect((await request("channels/test", { channel: "discord" })).status).toBe(200);
    // Step 9.
    discord.say("hi", { user: bob });
    const { content } = await reply("openclaw pairing approve discord");
    const [, code = ""] = /approve discord (\w+)/.exec(content) ?? [];
    expect((await request("pairing/approve", { channel: "discord", code })).status).toBe(200);
    discord.repeat(discord.say("hi", { user: bob }));
    await reply("welcome");
    // Step 10.
    discord.say("not for the bot", { user: bob, channelId: general.id });
    const mention = discord.say(`${BOT} hi`, { user: bob, channelId: general.id });
    expect(await reply("in the thread")).toMatchObject({ channelId: mention.id });
    discord.say("make it");
    const shown = await discord.message(({ buttons }) =>
      buttons.some(({ label }) => label === "Deny"),
    );
    expect(await discord.press(shown, "Allow once")).toBe(200);
    await reply("finished");
    expect(running.modelRequests).toHaveLength(4);
  } finally {
    host = undefined;
    await running.dispose();
  }
});
