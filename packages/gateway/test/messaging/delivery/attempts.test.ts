import { createManualClock } from "@openclaw/foundation";
import { ReplyDelivery, type ReplySurface } from "@openclaw/messaging";
import {
  ChannelDisconnectedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { expect, it, vi } from "vitest";
import { createTestHost, message, SESSION } from "../../support/host.js";

const INBOUND = { channel: "telegram", senderId: "42", body: "hello" };

/** A host whose clock the test moves, with everything that plugins and clients are told of a delivery. */
async function delivering(surface: ReplySurface) {
  const clock = createManualClock();
  const told: { readonly by: string; readonly event: object }[] = [];
  const host = await createTestHost({
    register(api) {
      api.on("message_sent", (event) => void told.push({ by: "message_sent", event }));
      api.on("response_error", (event) => void told.push({ by: "response_error", event }));
    },
  });
  const { row } = await host.store.messages.outbox.add({
    runId: "run",
    part: 0,
    sessionKey: SESSION,
    target: { channel: "telegram", to: "chat-9" },
    content: "Good day.",
  });
  const replies = new ReplyDelivery({
    ...host,
    spoken: { speakerOf: () => undefined },
    events: {
      undelivered: ({ sessionKey, runId }, failure) =>
        void told.push({ by: "client", event: { sessionKey, runId, ...failure } }),
    },
    safety: () => host.services.safety,
    timers: clock,
    signal: new AbortController().signal,
  });
  const done = replies.deliver({
    reply: row,
    context: { callDepth: 0 },
    inbound: INBOUND,
    caller: { surface },
  });
  return { clock, told, done, stored: () => host.store.messages.outbox.get(row.id) };
}

it("[TURN-048] sends a failed part again after 1, 4 and 16 s, then tells plugins and clients once", async () => {
  const attempts: string[] = [];
  const { clock, told, done, stored } = await delivering({
    async send(_message, { idempotencyKey }) {
      attempts.push(idempotencyKey);
      throw new ChannelDisconnectedError("telegram", "the line is dead");
    },
  });
  for (const [index, wait] of [1000, 4000, 16_000].entries()) {
    await vi.waitFor(() => expect(clock.activeTimers).toBe(1));
    expect(attempts).toHaveLength(index + 1);
    await clock.advanceAndSettle(wait - 1);
    expect(clock.activeTimers).toBe(1);
    clock.advance(1);
  }
  expect(await done).toMatchObject({ status: "failed" });
  expect(attempts).toHaveLength(4);
  const error = {
    code: "CHANNEL_DISCONNECTED",
    message: 'channel "telegram": the line is dead',
  };
  expect(await stored()).toMatchObject({ state: "failed", attempts: 4, error });
  await vi.waitFor(() => expect(told).toHaveLength(3));
  const about = { to: "chat-9", channel: "telegram", content: "Good day.", attempts: 4 };
  expect(told).toMatchObject([
    {
      by: "client",
      event: { sessionKey: SESSION, runId: "run", text: "Good day.", attempts: 4, error },
    },
    { by: "response_error", event: { ...about, error } },
    { by: "message_sent", event: { ...about, success: false, error: error.message } },
  ]);
});

it("[TURN-048] does not repeat an error that is final, and tells of a delivered part once", async () => {
  const send = vi.fn(async () => {
    throw new ChannelSendFailedError("telegram", "the chat is gone");
  });
  const failed = await delivering({ send });
  expect(await failed.done).toMatchObject({ status: "failed" });
  expect(send).toHaveBeenCalledTimes(1);
  const sent = await delivering({ send: async () => ({ messageId: "7" }) });
  await sent.done;
  await vi.waitFor(() => expect(sent.told).toHaveLength(1));
  expect(sent.told).toMatchObject([
    { by: "message_sent", event: { success: true, messageId: "7", attempts: 1, to: "chat-9" } },
  ]);
  expect(await sent.stored()).toMatchObject({ state: "delivered" });
});

it("publishes what was not delivered to the clients of its session", async () => {
  const publish = vi.fn();
  const host = await createTestHost({ events: { publish } });
  const surface: ReplySurface = {
    async send() {
      throw new ChannelSendFailedError("telegram", "the chat is gone");
    },
  };
  await host.flow.receive(message("hi"), { surface });
  const [, event] = publish.mock.calls.find(([name]) => name === "chat.undelivered") ?? [];
  expect(event).toMatchObject({
    sessionKey: SESSION,
    channel: "terminal",
    text: "ok",
    error: { code: "CHANNEL_SEND_FAILED" },
  });
});
