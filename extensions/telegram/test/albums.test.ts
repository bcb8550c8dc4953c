import { setTimeout as wait } from "node:timers/promises";
import { startTelegramServer } from "@openclaw/platform-fakes";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { describe, expect, it, type TestContext, vi } from "vitest";
import { ALBUM_QUIET_MS, SeenParts } from "../src/album.js";
import type { ReadUpdate } from "../src/incoming.js";
import { createTelegramPlugin } from "../src/plugin.js";

const eventually = (check: () => void) => vi.waitFor(check, 50_000);
const SECRET = "secret-of-the-webhook-0123456789";
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

async function bot(
  { onTestFinished }: TestContext,
  section: Readonly<Record<string, unknown>> = {},
  options: Partial<TestHostOptions> = {},
) {
  const server = await startTelegramServer();
  for (const name of ["a", "b", "c"]) server.addFile(name, JPEG);
  const { token: botToken, url: apiRoot } = server;
  const telegram = { botToken, apiRoot, dmPolicy: "open", groupPolicy: "all", ...section };
  const host = await createTestHost({
    plugin: createTelegramPlugin(),
    config: { channels: { telegram } } as NonNullable<TestHostOptions["config"]>,
    model: [{ text: "Three photos." }, { text: "Next." }, { text: "Other." }],
    ...options,
  });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
  });
  const part = (name: string, more: object = {}) => ({
    media_group_id: "album-1",
    photo: [{ file_id: name, file_unique_id: name, width: 1, height: 1 }],
    ...more,
  });
  const images = (index: number) =>
    JSON.stringify(host.modelRequests[index]?.prompt ?? []).split("Attached: photo.jpg").length - 1;
  /** Sends the waiting updates to the webhook of the bot, as Telegram does. */
  const deliver = () =>
    server.deliver(async (update) => {
      const { status } = await host.request("/plugins/telegram/webhook", {
        method: "POST",
        authenticated: false,
        body: JSON.stringify(update),
        headers: { "x-telegram-bot-api-secret-token": SECRET },
      });
      return status;
    });
  return { server, host, part, images, deliver };
}

// Together, because each of them waits until no further part arrives.
describe.concurrent("album", { timeout: 60_000 }, () => {
  it("[EXT-241] parts that come in a later answer to getUpdates are one turn, also when some come twice", async (context) => {
    const { server, host, part, images } = await bot(context);
    const first = server.write(part("a", { caption: "What is this?" }));
    await wait(ALBUM_QUIET_MS / 2);
    server.write(part("b"));
    server.send({ message: first.message });
    await wait(ALBUM_QUIET_MS * 0.75);
    server.write(part("c"));
    server.write({ text: "and now?" });
    await eventually(() =>
      expect(server.sent.map(({ text }) => text)).toEqual(["Three photos.", "Next."]),
    );
    expect(host.modelRequests).toHaveLength(2);
    expect(images(0)).toBe(3);
    await eventually(() => expect(server.unconfirmed).toBe(0));
  });

  it("[EXT-241] an album whose parts Telegram divides between two full answers is one turn", async (context) => {
    const { server, host, part, images } = await bot(context);
    const neighbour = { id: 77, is_bot: true, first_name: "Other" };
    // Messages of other bots are ignored, so that only the album runs.
    for (let count = 0; count < 98; count += 1)
      server.write({ from: neighbour, text: `note ${count}` });
    server.write(part("a", { caption: "What is this?" }));
    server.write(part("b"));
    server.write(part("c"));
    server.write({ text: "and now?" });
    await eventually(() =>
      expect(server.sent.map(({ text }) => text)).toEqual(["Three photos.", "Next."]),
    );
    expect(host.modelRequests).toHaveLength(2);
    expect(images(0)).toBe(3);
    await eventually(() => expect(server.unconfirmed).toBe(0));
  });

  it("[EXT-241] parts that arrive at the webhook one after another are one turn, also late and twice", async (context) => {
    const { server, host, part, images, deliver } = await bot(context, {
      webhookUrl: "https://bot.example/plugins/telegram/webhook",
      webhookSecret: SECRET,
    });
    await eventually(() => expect(server.webhook).toBeDefined());
    const first = server.write(part("a", { caption: "What is this?" }));
    server.write(part("b"));
    await deliver();
    expect(server.unconfirmed).toBe(0);
    await wait(ALBUM_QUIET_MS / 2);
    server.write(part("c"));
    server.send({ message: first.message });
    server.write({ text: "and now?" });
    await deliver();
    await eventually(() =>
      expect(server.sent.map(({ text }) => text)).toEqual(["Three photos.", "Next."]),
    );
    // A part that Telegram sends again after the turn has no effect.
    server.send({ message: first.message });
    await deliver();
    await wait(ALBUM_QUIET_MS + 200);
    expect(host.modelRequests).toHaveLength(2);
    expect(images(0)).toBe(3);
  });

  it("[EXT-241] a part that arrives after the others were handed over belongs to their turn while it runs", async (context) => {
    let arrive: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const looking = definePluginEntry({
      id: "looking",
      register(api) {
        api.registerTool({
          ...{ name: "look", description: "looks", parameters: { type: "object", properties: {} } },
          execute: async () => {
            await late;
            return "a wall";
          },
        });
      },
    });
    const model = [{ toolCalls: [{ toolName: "look", params: {} }] }, { text: "Two photos." }];
    const { server, host, part, images } = await bot(context, {}, { model, neighbours: [looking] });
    server.write(part("a", { caption: "What is this?" }));
    await eventually(() => expect(host.modelRequests).toHaveLength(1));
    server.write(part("b"));
    await eventually(() => expect(server.unconfirmed).toBe(0));
    arrive();
    await eventually(() => expect(server.sent.map(({ text }) => text)).toEqual(["Two photos."]));
    expect(host.modelRequests).toHaveLength(2);
    expect(images(1)).toBe(2);
    expect(JSON.stringify(host.modelRequests[1]?.prompt)).toContain("Another part of the album");
  });
});

it("[EXT-241] a late part of an album for the bot is for the bot too, and a repeated part is none", () => {
  const seen = new SeenParts();
  const part = (number: number, content: string, isMention: boolean): ReadUpdate => {
    const about = { id: `${number}`, channel: "telegram", userId: "1", receivedAt: new Date(0) };
    const files = [{ fileId: `${number}`, name: "photo.jpg", mimeType: "image/jpeg" }];
    return { number, files, message: { ...about, content, isMention } };
  };
  const first = [part(2, "", false), part(1, "look", true)];
  expect(seen.merge("42 a", first)?.message).toMatchObject({ content: "look", isMention: true });
  expect(seen.merge("42 a", [part(2, "", false)])).toBeUndefined();
  expect(seen.merge("42 a", [part(3, "", false)])?.message).toMatchObject({
    ...{ content: "[Another part of the album before]", isMention: true, albumId: "42 a" },
  });
  expect(seen.merge("42 b", [part(4, "", false)])?.message).toMatchObject({ isMention: false });
});
