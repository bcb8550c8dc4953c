import { startTelegramServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import telegram from "@openclaw/telegram";
import { expect, it, onTestFinished, vi } from "vitest";

const eventually = (check: () => void) => vi.waitFor(check, 60_000);

it("[EXT-017] Telegram loses no update and answers none twice after a restart", async () => {
  const server = await startTelegramServer();
  const sent = (number: number) =>
    eventually(() => expect(server.sent.length).toBeGreaterThanOrEqual(number));
  const store = await openStore({ file: ":memory:" });
  const { token: botToken, url: apiRoot } = server;
  const config = { channels: { telegram: { botToken, apiRoot, dmPolicy: "open" } } };
  const start = (...texts: string[]) =>
    createTestHost({
      ...{ plugin: telegram, config, store },
      model: texts.map((text) => ({ text })),
    });
  const first = await start("one");
  server.write({ text: "first" });
  await sent(1);
  // The update is stored and not confirmed yet, because the next poll was refused.
  const pending = server.unconfirmed;
  server.dropPoll();
  await first.dispose();
  server.write({ text: "second" });
  server.write({ text: "third" });
  expect(server.unconfirmed).toBeGreaterThanOrEqual(pending);
  const next = await start("two", "three");
  onTestFinished(async () => {
    server.dropPoll();
    await next.dispose();
    await store.close();
    await server.close();
  });
  await sent(3);
  await eventually(() => expect(server.unconfirmed).toBe(0));
  expect(server.sent.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  expect(next.modelRequests).toHaveLength(2);
});
