import type { ChannelContext } from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { HttpChannel } from "../src/channel.js";

const SECRET = "a-secret-of-the-http-channel-123";

/** A channel whose host is the test; each request comes a minute after the one before. */
async function startedChannel() {
  let now = 0;
  const channel = new HttpChannel({
    replyMs: 60_000,
    fetch: () => Promise.reject(new Error("no callback is expected")),
    now: () => {
      now += 60_000;
      return now;
    },
  });
  const send = (fields: object) => {
    const body = JSON.stringify({ content: "hi", secret: SECRET, ...fields });
    return channel.handle(new Request("http://gateway/webhook", { method: "POST", body }));
  };
  const ending = new AbortController();
  const ignore = () => undefined;
  const context: ChannelContext = {
    signal: ending.signal,
    config: { webhookSecret: SECRET },
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    accountId: "default",
    connected: ignore,
    saveAttachment: () => Promise.reject(new Error("no file is expected")),
  };
  const start = () => {
    const messages = channel.start(context);
    onTestFinished(() => ending.abort());
    return messages;
  };
  return { channel, send, start, stop: () => ending.abort() };
}

async function refusalOf(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code];
}

describe("limits of the HTTP channel", () => {
  it("[CHAN-025] is not started before the host receives its messages, and after it stopped", async () => {
    const { channel, send, start, stop } = await startedChannel();
    expect(await refusalOf(await send({}))).toEqual([503, "not_started"]);
    const messages = start();
    const next = messages.next();
    const accepted = send({});
    (await next).value?.acknowledge?.();
    expect((await accepted).status).toBe(200);
    const left = send({});
    const ended = messages.next();
    expect((await ended).value).toMatchObject({ content: "hi" });
    stop();
    await messages.next();
    expect(await refusalOf(await left)).toEqual([503, "not_started"]);
    expect(await refusalOf(await send({}))).toEqual([503, "not_started"]);
    await expect(channel.healthCheck("default")).rejects.toThrow("does not listen");
  });

  it("[CHAN-025] lets 100 requests wait for a reply, and further ones be sent without a wait", async () => {
    const { channel, send, start } = await startedChannel();
    const messages = start();
    const waiting: Promise<Response>[] = [];
    const first = messages.next();
    for (let count = 0; count < 100; count += 1) waiting.push(send({ wait_for_response: true }));
    const received = [(await first).value];
    while (received.length < 100) received.push((await messages.next()).value);
    for (const message of received) message?.acknowledge?.();
    expect(await refusalOf(await send({ wait_for_response: true }))).toEqual([
      429,
      "too_many_waiting",
    ]);
    for (const message of received) {
      if (message !== undefined) await channel.respond(message, { content: `to ${message.id}` });
    }
    for (const response of await Promise.all(waiting)) {
      const { message_id, response: reply } = (await response.json()) as Record<string, string>;
      expect(reply).toBe(`to ${message_id}`);
    }
  });

  it("[CHAN-026] holds 256 messages that the host has not taken", async () => {
    const { send, start, stop } = await startedChannel();
    const messages = start();
    const first = messages.next();
    const taken = send({});
    await first;
    // 256 of them wait, and there is no room for the last one.
    const sent = Array.from({ length: 257 }, () => send({}));
    const early = await Promise.race(sent);
    expect(await refusalOf(early)).toEqual([503, "queue_full"]);
    stop();
    await messages.next();
    const others = [taken, ...sent];
    const responses = (await Promise.all(others)).filter((response) => response !== early);
    const refusals = await Promise.all(responses.map(refusalOf));
    expect(refusals).toEqual(Array.from({ length: 257 }, () => [503, "not_started"]));
  });
});
