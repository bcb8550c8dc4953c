import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWhatsAppServer, type WhatsAppServer } from "@openclaw/platform-fakes";
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
import { whatsapp as preset } from "../../src/presets/whatsapp.js";
import { DirectChannel } from "../support/direct-channel.js";
import { transportTo } from "../support/file-transport.js";
import { platformPage, storedSettings } from "../support/page.js";

const ALICE = "491700000001";
const BOB = "491700000002";

let meta: WhatsAppServer;
let direct: DirectChannel;
let host: TestHost | undefined;

beforeAll(async () => {
  meta = await startWhatsAppServer({
    callbackUrl: "https://gateway.example/plugins/chat-bridge/whatsapp",
    request: (url, init) =>
      host === undefined
        ? direct.request(url, init)
        : host.request(`${url.pathname}${url.search}`, { ...init, authenticated: false }),
  });
  direct = await new DirectChannel(preset, settings(), {
    adapterOptions: { fileTransport: transportTo(() => meta.apiUrl) },
  }).start();
});

afterAll(async () => {
  await direct[Symbol.asyncDispose]();
  await meta.close();
});

function settings() {
  const { accessToken, appSecret, phoneNumberId, verifyToken, apiUrl } = meta;
  return { accessToken, appSecret, phoneNumberId: Number(phoneNumberId), verifyToken, apiUrl };
}

async function received(text: string) {
  const said = meta.say(text);
  const message = await direct.take();
  expect((await said).status).toBe(200);
  return message;
}

it("verifies the callback URL, and names sender and conversation", async () => {
  expect(await meta.verifyUrl()).toBe(true);
  expect(await meta.verifyUrl("wrong")).toBe(false);
  const message = await received("hi *there*");
  expect(message).toMatchObject({
    channel: "whatsapp",
    conversationId: `${meta.phoneNumberId}:${ALICE}`,
    userId: ALICE,
    userName: "Alice",
    isMention: false,
  });
  expect(message).not.toHaveProperty("room");
  expect(message).not.toHaveProperty("threadId");
  const { messageId } = await direct.channel.respond(message, { content: "**Hello** Alice" });
  expect(await meta.message(({ id }) => id === messageId)).toMatchObject({
    to: ALICE,
    text: "*Hello* Alice",
  });
  await direct.channel.sendStatus({ kind: "thinking", text: "Thinking" }, null, message);
  expect(meta.read).toEqual([message.externalId]);
  await direct.channel.react(
    { conversationId: message.conversationId ?? "", messageId: message.externalId ?? "" },
    "👍",
  );
  expect(meta.reactions).toEqual([{ messageId: message.externalId, emoji: "👍" }]);
  expect(direct.channel.edit).toBeUndefined();
  expect(direct.channel.capabilities.streaming).toBeUndefined();
});

it("receives voice messages for transcription, and sends audio without a caption", async () => {
  const content = new TextEncoder().encode("OggSvoice");
  const mimeType = "audio/ogg; codecs=opus";
  const sent = meta.sendFile({ type: "audio", mimeType, name: "voice.ogg", content });
  const message = await direct.take();
  expect((await sent).status).toBe(200);
  expect(message.attachments).toMatchObject([{ mimeType, bytes: 9 }]);
  const path = join(tmpdir(), `whatsapp-voice-${process.pid}.ogg`);
  writeFileSync(path, "OggSreply");
  const attachments = [{ path, name: "reply.ogg", mimeType: "audio/ogg", bytes: 9 }];
  const { messageId } = await direct.channel.respond(message, { content: "", attachments });
  const reply = await meta.message(({ id }) => id === messageId);
  expect(reply).toMatchObject({ type: "audio", text: "" });
  expect(Buffer.from(meta.file(reply.mediaId ?? "") ?? []).toString()).toBe("OggSreply");
  expect(direct.channel.capabilities.audio).toBe("voice");
});

it("carries files both ways", async () => {
  const content = Buffer.from("%PDF");
  const file = { type: "document", mimeType: "application/pdf", name: "a.pdf", content } as const;
  const sent = meta.sendFile(file, "please read");
  const message = await direct.take();
  expect((await sent).status).toBe(200);
  expect(message).toMatchObject({ content: "please read", attachments: [{ bytes: 4 }] });
  const path = join(tmpdir(), "bridge-answer.txt");
  writeFileSync(path, "answer");
  const attachments = [{ path, name: "answer.txt", mimeType: "text/plain", bytes: 6 }];
  const { messageId } = await direct.channel.respond(message, { content: "Here", attachments });
  const reply = await meta.message(({ id }) => id === messageId);
  expect(reply).toMatchObject({ type: "document", text: "Here", fileName: "answer.txt" });
  expect(Buffer.from(meta.file(reply.mediaId ?? "") ?? []).toString()).toBe("answer");
});

it("shows buttons below a text, or below a separate message when the text is long", async () => {
  const message = await received("do it");
  const buttons = [
    [
      { label: "Allow once", value: "/approve ABCDEF" },
      { label: "Always allow", value: "/approve ABCDEF always" },
      { label: "Deny", value: "/deny ABCDEF" },
    ],
  ];
  const { messageId } = await direct.channel.respond(message, { content: "Sure?", buttons });
  const shown = await meta.message(({ id }) => id === messageId);
  expect(shown).toMatchObject({ text: "Sure?", type: "interactive" });
  const pressed = meta.press(shown, "Always allow");
  expect(await direct.take()).toMatchObject({ content: "/approve ABCDEF always", userId: ALICE });
  expect((await pressed).status).toBe(200);
  const count = meta.sent.all.length;
  const content = "long text\n".repeat(200);
  await direct.channel.respond(message, { content, buttons });
  expect(meta.sent.all.slice(count).map(({ type }) => type)).toEqual(["text", "interactive"]);
});

it("answers with 503 until the host has stored the message, and rejects forgeries", async () => {
  const said = meta.say("do not lose me");
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
  expect(await meta.sendRaw("{}", "sha256=00")).toBe(401);
  expect(await meta.sendRaw("{")).toBe(400);
  expect(await meta.sendRaw("{}")).toBe(400);
  expect(await meta.sendRaw('{"entry":[{"changes":[{"field":"messages","value":{}}]}]}')).toBe(200);
  expect(await received("still there?")).toMatchObject({ content: "still there?" });
});

it("reports which failures a repeat can solve", async () => {
  const send = () => direct.channel.broadcast(ALICE, { content: "hello" }).catch((e: unknown) => e);
  meta.fail({ kind: "rate-limit", retryAfterS: 0 });
  expect(await send()).toBeInstanceOf(ChannelRateLimitedError);
  meta.fail({ kind: "outage" });
  const outage = await send();
  expect(outage).toBeInstanceOf(ChannelHttpError);
  expect(outage).toMatchObject({ retryable: true, status: 503 });
  meta.fail({ kind: "lost-answer" });
  const lost = await send();
  expect(lost).toBeInstanceOf(ChannelSendFailedError);
  expect(lost).toMatchObject({ retryable: false });
  meta.closeWindow();
  const late = await send();
  expect(late).toMatchObject({ retryable: false });
  expect(String(late)).toContain("131047");
});

it("names a missing setting and a rejected token at the start", async () => {
  const start = (given: object) =>
    new DirectChannel(preset, { ...settings(), ...given }).start().catch((e: unknown) => e);
  expect(String(await start({ verifyToken: undefined }))).toContain(
    "channels.whatsapp.verifyToken is missing",
  );
  expect(await start({ accessToken: "wrong" })).toBeInstanceOf(ChannelAuthFailedError);
  expect(await start({ phoneNumberId: "1" })).toBeInstanceOf(ChannelHttpError);
  const gone = await startWhatsAppServer({ callbackUrl: "", request: fetch });
  const { apiUrl } = gone;
  await gone.close();
  expect(await start({ apiUrl })).toBeInstanceOf(ChannelDisconnectedError);
  await direct.channel.healthCheck("default");
});

it("[EXT-019] connects WhatsApp by the ten steps of its page, pairs the first user and asks for an approval", async () => {
  const page = platformPage("whatsapp");
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
  const call = { toolName: "exec", params: { command: "touch made.txt" } };
  const running = await createTestHost({
    plugin: createChatBridge({ adapterOptions: { fileTransport: transportTo(() => meta.apiUrl) } }),
    neighbours: [asking],
    config: { channels: { whatsapp: { ...settings(), owners: [ALICE] } } },
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
    const reply = (wanted: string) => meta.message(({ text }) => text.includes(wanted));
    // Steps 7 and 8.
    while (!(await meta.verifyUrl())) await running.advance(1000);
    expect((await request("channels/test", { channel: "whatsapp" })).status).toBe(200);
    // Steps 9 and 10.
    await meta.say("hi", BOB);
    const { text } = await reply("openclaw pairing approve whatsapp");
    const [, code = ""] = /approve whatsapp (\w+)/.exec(text) ?? [];
    expect((await request("pairing/approve", { channel: "whatsapp", code })).status).toBe(200);
    const hi = await meta.say("hi", BOB);
    await reply("welcome");
    expect((await hi.repeat()).status).toBe(200);
    const seen = new Set(meta.sent.all);
    await meta.say("make it");
    const shown = await meta.message((each) => !seen.has(each) && each.buttons.length > 0);
    expect((await meta.press(shown, "Allow once")).status).toBe(200);
    await reply("finished");
    expect(running.modelRequests).toHaveLength(3);
  } finally {
    host = undefined;
    await running.dispose();
  }
});
