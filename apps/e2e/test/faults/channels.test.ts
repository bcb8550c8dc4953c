import { startTelegramServer, type TelegramServer } from "@openclaw/platform-fakes";
import { expect, it, vi } from "vitest";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";

/** A state folder whose configuration has a channel of the server, open to every person. */
function placeWith({ token: botToken, url: apiRoot }: TelegramServer): Place {
  const place = emptyPlace();
  const channels = { telegram: { botToken, apiRoot, dmPolicy: "open" } };
  place.writeState({ "openclaw.json": JSON.stringify({ channels }) });
  return place;
}

const eventually = (check: () => void) => vi.waitFor(check, 60_000);

it("[CHAN-013] [CHAN-050] answers a message once when the gateway is killed between its update and the acknowledgement", async () => {
  await using telegram = await startTelegramServer();
  using place = placeWith(telegram);
  const texts = () => telegram.sent.map(({ text }) => text);

  const first = await startGatewayProcess(place);
  telegram.write({ text: "first" });
  await eventually(() => expect(telegram.unconfirmed).toBe(0));
  // The next poll would confirm the update; it has no effect.
  telegram.hold("getUpdates");
  telegram.write({ text: "second" });
  await eventually(() => expect(texts()).toHaveLength(2));
  await first.end("SIGKILL");
  expect(telegram.unconfirmed).toBe(1);

  await using _second = await startGatewayProcess(place);
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

  const first = await startGatewayProcess(place);
  telegram.hold("sendMessage");
  telegram.write({ text: "first" });
  await eventually(() => expect(telegram.calls).toContain("sendMessage"));
  await first.end("SIGKILL");
  expect(texts()).toEqual([]);

  const second = await startGatewayProcess(place);
  await eventually(() => expect(texts()).toHaveLength(1));
  expect(texts()[0]).toContain("My reply to this message may be missing");
  expect(telegram.sent[0]?.chatId).toBe(42);
  await second.end("SIGKILL");

  await using _third = await startGatewayProcess(place);
  telegram.write({ text: "second" });
  await eventually(() => expect(texts()).toHaveLength(2));
  expect(texts()[1]).toContain("second");
});
