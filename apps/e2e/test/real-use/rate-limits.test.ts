import { setTimeout as wait } from "node:timers/promises";
import { type RateLimits, startTelegramServer } from "@openclaw/platform-fakes";
import { createTestClock, createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";
import { expect, it, onTestFinished } from "vitest";
import { platformHost } from "../../src/proxies/platform-host.js";
import { PLATFORMS } from "../../src/proxies/platforms.js";

/** Number of messages that a reply needs to exceed the limit of each platform. */
const MESSAGES: Readonly<Record<string, number>> = {
  discord: 6,
  slack: 3,
  teams: 8,
  telegram: 4,
  whatsapp: 47,
};
const TEXT_LIMITS: Readonly<Record<string, number>> = {
  discord: 1900,
  slack: 12_000,
  teams: 12_000,
  telegram: 4096,
  whatsapp: 4096,
};

/** Returns a text of numbered words that needs a number of messages. */
function numbered(characters: number): { readonly text: string; readonly count: number } {
  let [text, count] = ["", 0];
  while (text.length < characters) {
    count += 1;
    text += `w${count} ${"x".repeat(400)}\n`;
  }
  return { text, count };
}

function wordsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.match(/\bw\d+\b/g) ?? []);
}

/** Lets the time of the host pass after each rejection, until a condition holds. */
async function pass(host: TestHost, rates: RateLimits, isDone: () => boolean): Promise<void> {
  for (let seen = 0; !isDone(); ) {
    if (rates.rejected === seen) {
      await wait(2);
      continue;
    }
    const { accepted, rejected, lastWaitMs } = rates;
    seen = rejected;
    // The rejection is on its way to the host, which then waits.
    await arrivals();
    await host.advance(lastWaitMs);
    while (rates.accepted + rates.rejected === accepted + rejected) {
      await arrivals();
      await host.advance(1000);
    }
  }
}

/** Lets requests and responses arrive: the clock must not advance while one is on its way. */
async function arrivals(): Promise<void> {
  await wait(8);
  for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
}

const CHANNELS = Object.entries(PLATFORMS).filter(([name]) => Object.hasOwn(MESSAGES, name));

it.each(CHANNELS)(
  "[CHAN-740] a long reply arrives whole, in order and once within the limits of %s",
  async (_name, startPlatform) => {
    const host = platformHost();
    const platform = await startPlatform(host.inbound);
    const { channel, rates } = platform;
    const clock = createTestClock(Date.now());
    const { text, count } = numbered((MESSAGES[channel] ?? 0) * (TEXT_LIMITS[channel] ?? 0));
    const running = await host.start(platform, { clock, model: [{ text }] });
    rates.enforce(() => clock.now());
    await platform.exchange();
    await pass(running, rates, () => wordsOf(platform.texts()).includes(`w${count}`));
    expect(wordsOf(platform.texts())).toEqual(
      Array.from({ length: count }, (_, index) => `w${index + 1}`),
    );
    expect(rates.rejected).toBeGreaterThan(0);
    expect(rates.early).toBe(0);
  },
  60_000,
);

it("[CHAN-740] a long reply in a group of Telegram keeps to twenty messages a minute", async () => {
  const server = await startTelegramServer();
  const clock = createTestClock(Date.now());
  const { text, count } = numbered(22 * 4096);
  const { token: botToken, url: apiRoot } = server;
  const host = await createTestHost({
    ...{ plugin: telegram, clock, model: [{ text }] },
    config: { channels: { telegram: { botToken, apiRoot, groupPolicy: "all", dmPolicy: "open" } } },
  });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
  });
  server.rates.enforce(() => clock.now());
  const chat = { id: -5, type: "group" as const };
  server.write({ chat, text: "hi" });
  const texts = () => server.sent.map((sent) => sent.text);
  await pass(host, server.rates, () => wordsOf(texts()).includes(`w${count}`));
  expect(wordsOf(texts())).toHaveLength(count);
  expect(server.rates.rejected).toBeGreaterThan(0);
  expect(server.rates.early).toBe(0);
}, 60_000);
