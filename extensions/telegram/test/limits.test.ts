import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTelegramServer } from "@openclaw/platform-fakes";
import { expect, it, onTestFinished, vi } from "vitest";
import { TelegramChannel } from "../src/channel.js";

const MEBIBYTE = 1024 * 1024;

async function connected() {
  const server = await startTelegramServer();
  const channel = new TelegramChannel();
  const ending = new AbortController();
  const { token: botToken, url: apiRoot } = server;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const stream = channel.start({
    ...{ config: { botToken, apiRoot }, accountId: "default", signal: ending.signal, logger },
    connected() {},
    saveAttachment: () => Promise.reject(new Error("no files")),
  });
  const reading = stream.next();
  await vi.waitFor(() => expect(server.calls).toContain("getUpdates"), 40_000);
  onTestFinished(async () => {
    ending.abort();
    server.dropPoll();
    await reading;
    await server.close();
  });
  return { server, channel };
}

/** Makes a file of a size, without writing its bytes. */
function fileOf(bytes: number, mimeType: string, name: string) {
  const path = join(process.env.TMPDIR ?? "/tmp", `telegram-${process.pid}-${name}`);
  writeFileSync(path, bytes === 0 ? "" : "x");
  truncateSync(path, bytes);
  return { mimeType, bytes, path, name };
}

it.each([
  ["rules", "---\n".repeat(1024), "---\n".repeat(1024).trim()],
  ["rules below a file", "---\n".repeat(256), "---\n".repeat(256).trim()],
])(
  "[EXT-580] sends a text whose formatting is longer than the limit as plain text: %s",
  async (name, content, shown) => {
    const { server, channel } = await connected();
    const attachments = name === "rules" ? [] : [fileOf(1, "application/pdf", "a.pdf")];
    await channel.broadcast("42", { content, attachments });
    expect(server.sent.map(({ text }) => text)).toEqual([shown]);
    const reference = { conversationId: "42", messageId: String(server.sent[0]?.messageId) };
    await channel.edit(reference, { content: "changed" });
    expect(server.sent[0]?.text).toBe("changed");
  },
);

it("[EXT-580] sends a large image as a document, and names a file that Telegram does not take", async () => {
  const { server, channel } = await connected();
  const attachments = [
    fileOf(10 * MEBIBYTE + 1, "image/png", "large.png"),
    fileOf(51 * MEBIBYTE, "application/zip", "huge.zip"),
    fileOf(0, "text/plain", "empty.txt"),
  ];
  const { messageId } = await channel.broadcast("42", { content: "Files:", attachments });
  expect(server.sent.map(({ text, file }) => file?.kind ?? text)).toEqual([
    "document",
    "[huge.zip was not sent: it has 51 MB, and Telegram takes at most 50 MB from a bot]",
    "[empty.txt was not sent: it is empty]",
  ]);
  expect(server.sent[0]).toMatchObject({ text: "Files:", file: { name: "large.png" } });
  expect(messageId).toBe(String(server.sent[0]?.messageId));
});

it("[EXT-580] reacts with the emoji that Telegram knows, and says which others there are", async () => {
  const { server, channel } = await connected();
  const { messageId = "" } = await channel.broadcast("42", { content: "hi" });
  const reference = { conversationId: "42", messageId };
  await channel.react(reference, "❤️");
  expect(server.reactions).toEqual([{ messageId: Number(messageId), emoji: "❤" }]);
  await expect(channel.react(reference, "✅")).rejects.toThrow(
    "Telegram does not allow the reaction ✅ here; send one that it knows, for example 👍, ❤ or 🎉",
  );
});

it("[EXT-740] a repeat after a limited rate sends only the parts that were not sent", async () => {
  const { server, channel } = await connected();
  const limited = [429, "Too Many Requests: retry after 7", { retry_after: 7 }] as const;
  server.refuse("sendDocument", limited);
  const attachments = [
    fileOf(1, "application/pdf", "one.pdf"),
    fileOf(1, "application/pdf", "two.pdf"),
  ];
  const message = { content: "Two files:", attachments, idempotencyKey: "key" };
  await expect(channel.broadcast("42", message)).rejects.toMatchObject({ retryAfterMs: 7000 });
  const { messageId } = await channel.broadcast("42", message);
  expect(server.sent.map(({ text, file }) => file?.name ?? text)).toEqual([
    "Two files:",
    "one.pdf",
    "two.pdf",
  ]);
  expect(messageId).toBe(String(server.sent[0]?.messageId));
  // A later message with the same key, such as another preview, is sent.
  await channel.broadcast("42", { content: "again", idempotencyKey: "key" });
  expect(server.sent.at(-1)?.text).toBe("again");
});
