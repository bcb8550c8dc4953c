import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  startTeamsServer,
  TEAMS_ALICE,
  type TeamsSaid,
  type TeamsServer,
} from "@openclaw/platform-fakes";
import {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installCommand } from "../../src/adapter/package.js";
import { createChatBridge } from "../../src/index.js";
import { teams as preset } from "../../src/presets/teams.js";
import { DirectChannel } from "../support/direct-channel.js";
import { platformPage, storedSettings } from "../support/page.js";
import { tokensOf, useKeysOf } from "../support/teams-cloud.js";

const BOB = { id: "29:1-bob", name: "Bob" };

let teams: TeamsServer;
let direct: DirectChannel;
let host: TestHost | undefined;
let restore: () => void;

beforeAll(async () => {
  teams = await startTeamsServer({
    messagingEndpoint: "https://gateway.example/plugins/chat-bridge/teams",
    request: (url, init) =>
      host === undefined
        ? direct.request(url, init)
        : host.request(url.pathname, { ...init, authenticated: false }),
  });
  restore = useKeysOf(teams);
  direct = await new DirectChannel(preset, settings(), options()).start();
});

afterAll(async () => {
  await direct?.[Symbol.asyncDispose]();
  restore();
  await teams.close();
});

function settings() {
  const { appId, appPassword, tenantId } = teams.bot;
  const { origin } = teams;
  const apiUrl = teams.serviceUrl;
  return {
    appId,
    appPassword,
    appTenantId: tenantId,
    userName: "OpenClaw",
    loginUrl: origin,
    apiUrl,
  };
}

const options = () => ({ adapterOptions: { token: tokensOf(teams) } });

async function received(said: string | TeamsSaid) {
  const delivery = teams.say(said);
  const message = await direct.take();
  expect((await delivery).status).toBe(200);
  return message;
}

it("carries a conversation: sender, reply, typing, change and reaction", async () => {
  const message = await received("hi **there**");
  expect(message).toMatchObject({
    channel: "teams",
    userId: TEAMS_ALICE.id,
    userName: "Alice",
    content: "hi there",
  });
  expect(message).not.toHaveProperty("room");
  expect(message).not.toHaveProperty("threadId");
  await direct.channel.sendStatus({ kind: "thinking", text: "Thinking" }, null, message);
  expect(teams.typing).toEqual(["a:1-alice"]);
  const { messageId = "" } = await direct.channel.respond(message, { content: "**Hello** Alice" });
  const sent = await teams.message(({ id }) => id === messageId);
  expect(sent).toMatchObject({ conversationId: "a:1-alice", text: "**Hello** Alice" });
  const { conversationId = "" } = message;
  await direct.channel.edit?.({ conversationId, messageId }, { content: "Hello again" });
  expect(sent).toMatchObject({ text: "Hello again", isEdited: true });
  await direct.channel.react({ conversationId, messageId: message.externalId ?? "" }, "👍");
  expect(teams.reactions).toEqual([{ messageId: message.externalId, type: "like" }]);
});

it("keeps groups, channels and threads apart, and knows mentions", async () => {
  const group = await received({ text: "hello all", in: { kind: "group" } });
  expect(group).toMatchObject({ isMention: false, room: { kind: "channel" } });
  const asked = await received({ text: "/status", in: { kind: "group" }, isMention: true });
  expect(asked).toMatchObject({ isMention: true, content: "/status" });
  const first = await received({ text: "start", in: { kind: "channel" }, isMention: true });
  const reply = await received({
    ...{ text: "more", isMention: true },
    in: { kind: "channel", thread: first.externalId ?? "" },
  });
  expect(reply).toMatchObject({ threadId: first.threadId, conversationId: first.conversationId });
  expect(first.conversationId).not.toBe(group.conversationId);
  await direct.channel.respond(reply, { content: "in the thread" });
  expect(await teams.message(({ text }) => text === "in the thread")).toMatchObject({
    conversationId: `19:general@thread.tacv2;messageid=${first.externalId}`,
  });
});

it("carries images both ways, and names files that Teams does not take from bots", async () => {
  const content = Buffer.from("\x89PNG");
  const message = await received({ text: "look", image: { mimeType: "image/png", content } });
  expect(message).toMatchObject({
    content: "look",
    attachments: [{ mimeType: "image/png", bytes: content.length }],
  });
  const path = join(tmpdir(), "teams-answer.bin");
  writeFileSync(path, "answer");
  const file = (name: string, mimeType: string) => ({ path, name, mimeType, bytes: 6 });
  const attachments = [file("a.png", "image/png"), file("a.pdf", "application/pdf")];
  const { messageId } = await direct.channel.respond(message, { content: "Here", attachments });
  const sent = await teams.message(({ id }) => id === messageId);
  expect(sent.text).toContain("Here");
  await teams.message(({ text }) => text.includes("a.pdf was not sent: Teams takes PNG"));
  expect(
    sent.images.map(({ name, content: bytes }) => [name, Buffer.from(bytes).toString()]),
  ).toEqual([["a.png", "answer"]]);
});

it("shows buttons on a card, and takes the decision of a person", async () => {
  const message = await received("do it");
  const buttons = [
    [
      { label: "Allow once", value: "/approve ABCDEF" },
      { label: "Deny", value: "/deny ABCDEF" },
    ],
  ];
  const { messageId } = await direct.channel.respond(message, { content: "Sure?", buttons });
  const shown = await teams.message(({ id }) => id === messageId);
  expect(shown).toMatchObject({
    text: "Sure?",
    buttons: [{ title: "Allow once" }, { title: "Deny" }],
  });
  const pressed = teams.press(shown, "Allow once");
  const decision = await direct.take();
  expect(decision).toMatchObject({
    ...{ content: "/approve ABCDEF", userId: TEAMS_ALICE.id },
    conversationId: message.conversationId,
  });
  const delivery = await pressed;
  expect(delivery.status).toBe(200);
  const again = delivery.repeat();
  expect(await direct.take()).toMatchObject({ id: decision.id });
  await again;
});

it("answers with 503 until the host has stored the message, and ignores edits", async () => {
  const said = teams.say("do not lose me");
  await direct.peek();
  await direct.stop();
  const delivery = await said;
  expect(delivery.status).toBe(503);
  await direct.start();
  const repeated = delivery.repeat();
  const message = await direct.take();
  expect(message).toMatchObject({ content: "do not lose me", externalId: delivery.id });
  expect((await repeated).status).toBe(200);
  const again = delivery.repeat();
  // The host recognises the repeat by its ID.
  expect(await direct.take()).toMatchObject({ id: message.id });
  await again;
  expect((await teams.edit(delivery, "changed")).status).toBe(200);
  expect(await received("next")).toMatchObject({ content: "next" });
});

it("rejects requests that Teams did not sign for this bot, and malformed ones", async () => {
  const { serviceUrl } = teams;
  const body = JSON.stringify({ type: "message", id: "1", text: "evil", serviceUrl });
  for (const claims of [
    null,
    { iss: "https://evil.example" },
    { aud: "00000000-0000-0000-0000-000000000000" },
    { exp: 1_600_000_000 },
    { serviceurl: "https://evil.example" },
  ]) {
    expect(await teams.sendRaw(body, claims), JSON.stringify(claims)).toBe(401);
  }
  expect(await teams.sendRaw("{")).toBe(400);
  for (const malformed of ["{}", "[]", '{"type":"message"}', `{"type":"message","serviceUrl":1}`]) {
    expect([200, 401], malformed).toContain(await teams.sendRaw(malformed));
  }
  expect(direct.warnings).toContain("a message without an ID was ignored");
  expect(await received("still there?")).toMatchObject({ content: "still there?" });
});

it("reports which failures a repeat can solve", async () => {
  const message = await received("go");
  const send = () => direct.channel.respond(message, { content: "hello" }).catch((e: unknown) => e);
  teams.fail({ kind: "rate-limit", retryAfterS: 3 });
  expect(await send()).toBeInstanceOf(ChannelRateLimitedError);
  teams.fail({ kind: "outage" });
  const outage = await send();
  expect(outage).toBeInstanceOf(ChannelHttpError);
  expect(outage).toMatchObject({ retryable: true, status: 503 });
  // Microsoft asks for a repeat after 412 as well, while it handles another message of the conversation.
  teams.fail({ kind: "outage", status: 412 });
  expect(await send()).toMatchObject({ retryable: true });
  const before = teams.sent.all.length;
  teams.fail({ kind: "lost-answer" });
  const lost = await send();
  expect(lost).toBeInstanceOf(ChannelSendFailedError);
  expect(lost).toMatchObject({ retryable: false });
  expect(teams.sent.all).toHaveLength(before + 1);
  expect(await send()).toHaveProperty("messageId");
});

it("writes first to a person whom it knows", async () => {
  const { messageId } = await direct.channel.broadcast(BOB.id, { content: "good morning" });
  expect(await teams.message(({ id }) => id === messageId)).toMatchObject({
    conversationId: "a:1-bob",
  });
});

it("names a missing setting and a rejected secret at the start", async () => {
  const start = (given: object) =>
    new DirectChannel(preset, { ...settings(), ...given }, options())
      .start()
      .catch((e: unknown) => e);
  expect(String(await start({ appTenantId: undefined }))).toContain(
    "channels.teams.appTenantId is missing",
  );
  const rejected = await start({ appPassword: "wrong" });
  expect(rejected).toBeInstanceOf(ChannelAuthFailedError);
  expect(String(rejected)).toContain("AADSTS7000215");
  const gone = await startTeamsServer({ messagingEndpoint: "", request: fetch });
  const { origin: loginUrl } = gone;
  await gone.close();
  expect(await start({ loginUrl })).toBeInstanceOf(ChannelDisconnectedError);
  await direct.channel.healthCheck("default");
});

it("[EXT-019] connects Teams by the ten steps of its page, pairs the first user and asks for an approval", async () => {
  const page = platformPage("teams");
  expect(page.steps).toHaveLength(10);
  expect(page.commands[0]).toBe(
    installCommand(preset.adapter, "~/.openclaw/chat-adapters").replaceAll('"', ""),
  );
  expect(storedSettings(page).toSorted()).toEqual(Object.keys(preset.required).toSorted());
  const manifest = JSON.parse(page.block("json"));
  expect(manifest).toMatchObject({ bots: [{ scopes: ["personal", "team", "groupChat"] }] });
  const asking = definePluginEntry({
    id: "asking",
    register(api) {
      api.on("before_tool_call", () => ({ requireApproval: { title: "Run?", description: "" } }));
    },
  });
  const call = { toolName: "exec", params: { command: "touch made.txt" } };
  const running = await createTestHost({
    plugin: createChatBridge(options()),
    neighbours: [asking],
    config: { channels: { teams: { ...settings(), owners: [TEAMS_ALICE.id] } } },
    model: [{ text: "welcome" }, { toolCalls: [call] }, { text: "finished" }],
  });
  host = running;
  try {
    const request = (method: string, body: object) =>
      running.request(`/api/v1/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": method },
        body: JSON.stringify(body),
      });
    const reply = (wanted: string) => teams.message(({ text }) => text.includes(wanted));
    // Step 7.
    await expect
      .poll(async () => (await request("channels/test", { channel: "teams" })).status, {
        timeout: 10_000,
      })
      .toBe(200);
    // Steps 9 and 10.
    expect((await teams.say({ text: "hi", from: BOB })).status).toBe(200);
    const { text } = await reply("openclaw pairing approve teams");
    const [, code = ""] = /approve teams (\w+)/.exec(text) ?? [];
    expect((await request("pairing/approve", { channel: "teams", code })).status).toBe(200);
    const hi = await teams.say({ text: "hi", from: BOB });
    await reply("welcome");
    expect((await hi.repeat()).status).toBe(200);
    const seen = new Set(teams.sent.all);
    await teams.say("make it");
    const shown = await teams.message((each) => !seen.has(each) && each.buttons.length > 0);
    expect((await teams.press(shown, "Allow once")).status).toBe(200);
    await reply("finished");
    expect(running.modelRequests).toHaveLength(3);
  } finally {
    host = undefined;
    // First, because clients keep their connections open until the platform closes them.
    await teams.close();
    await running.dispose();
  }
});
