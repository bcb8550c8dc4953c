import {
  startTelegramServer,
  startTestServer,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import { expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** A state folder whose configuration has a channel of the server, open to every person. */
function placeWith(
  { token: botToken, url: apiRoot }: TelegramServer,
  { http, ...others }: { readonly http?: object; readonly tools?: object } = {},
): Place {
  const place = emptyPlace();
  const channels = { telegram: { botToken, apiRoot, dmPolicy: "open" }, http };
  place.writeState({ "openclaw.json": JSON.stringify({ channels, ...others }) });
  return place;
}

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, 60_000);

it("[CHAN-013] [CHAN-050] answers a message once when the gateway is killed between its update and the acknowledgement", async () => {
  await using telegram = await startTelegramServer();
  using place = placeWith(telegram);
  const texts = () => telegram.sent.map(({ text }) => text);

  const first = await startGateway(place);
  telegram.write({ text: "first" });
  await eventually(() => expect(telegram.unconfirmed).toBe(0));
  // The next poll would confirm the update; it has no effect.
  telegram.hold("getUpdates");
  telegram.write({ text: "second" });
  await eventually(() => expect(texts()).toHaveLength(2));
  await first.end("SIGKILL");
  expect(telegram.unconfirmed).toBe(1);

  await using _second = await startGateway(place);
  await eventually(() => expect(telegram.unconfirmed).toBe(0));
  telegram.write({ text: "third" });
  await eventually(() => expect(texts().at(-1)).toContain("third"));
  // A kill before the reply was recorded adds a note that it may be missing, and no second reply.
  const replies = texts().filter((text) => !text.includes("may be missing"));
  expect(replies.map((text) => /first|second|third/.exec(text)?.[0])).toEqual([
    "first",
    "second",
    "third",
  ]);
});

it("[CHAN-760] tells a person on Telegram once that a reply may be lost, after a kill while it was being sent", async () => {
  await using telegram = await startTelegramServer();
  using place = placeWith(telegram);
  const texts = () => telegram.sent.map(({ text }) => text);

  const first = await startGateway(place);
  telegram.hold("sendMessage");
  telegram.write({ text: "first" });
  await eventually(() => expect(telegram.calls).toContain("sendMessage"));
  await first.end("SIGKILL");
  expect(texts()).toEqual([]);

  const second = await startGateway(place);
  await eventually(() => expect(texts()).toHaveLength(1));
  expect(texts()[0]).toContain("My reply to this message may be missing");
  expect(telegram.sent[0]?.chatId).toBe(42);
  await second.end("SIGKILL");

  await using _third = await startGateway(place);
  telegram.write({ text: "second" });
  await eventually(() => expect(texts()).toHaveLength(2));
  expect(texts()[1]).toContain("second");
});

it("[JOB-026] [JOB-030] runs routines that were added over Telegram and HTTP at their time after a kill, and delivers each result once", async () => {
  await using telegram = await startTelegramServer();
  await using callbacks = await startTestServer({ body: "{}" });
  const secret = "a-secret-of-the-http-channel-123";
  const { host } = new URL(callbacks.origin);
  using place = placeWith(telegram, {
    http: { webhookSecret: secret, callbackUrl: callbacks.origin },
    tools: { http: { allowHosts: [host] } },
  });
  const texts = () => telegram.sent.map(({ text }) => text);
  const posted = () => callbacks.requests.map(({ body }) => JSON.stringify(body));
  const add = (name: string) => `/cron add ${name} at in 5 seconds: the ${name} is ready`;
  const told = (all: readonly string[]) => all.filter((text) => text.includes(" is ready"));

  const first = await startGateway(place);
  const content = add("coffee");
  const body = JSON.stringify({ content, secret, wait_for_response: true });
  const response = await fetch(new URL("/webhook", first.url), { method: "POST", body });
  expect(await response.text()).toContain("is stored: Once");
  telegram.write({ text: add("tea") });
  await eventually(() => expect(texts().join()).toContain("is stored: Once"));
  await first.end("SIGKILL");

  await using _second = await startGateway(place);
  await eventually(() => expect(told(texts())).toHaveLength(1));
  await eventually(() => expect(told(posted())).toHaveLength(1));
  telegram.write({ text: "the last message" });
  await eventually(() => expect(texts().join()).toContain("the last message"));
  // The delivery is recorded a moment after the message.
  for (const name of ["tea", "coffee"]) {
    await eventually(async () => {
      const { stdout } = await openclaw(["cron", "runs", name, "--json"], place);
      expect(JSON.parse(stdout).runs).toMatchObject([
        { origin: "schedule", state: "attention", delivery: { state: "delivered" } },
      ]);
    });
  }
  expect(told(texts())).toEqual([expect.stringContaining("the tea is ready")]);
  expect(told(posted())).toEqual([expect.stringContaining("the coffee is ready")]);
});
