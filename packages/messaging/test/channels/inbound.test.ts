import { createManualClock } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageOutcome } from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it } from "vitest";
import type { ChannelAccount } from "../../src/channels/account.js";
import { ChannelInbound } from "../../src/channels/inbound.js";
import { MessageRefusedError } from "../../src/errors.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../../src/messages/inbound.js";
import { incoming } from "../support/stream-channel.js";

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Opens a receiver whose messages are stored at once, and wait until they are ended.
 * @param rejection - error with which each message is rejected instead
 */
function openInbound(rejection?: Error) {
  const clock = createManualClock();
  const waiting: (() => void)[] = [];
  const outcomes: MessageOutcome[] = [];
  const flow = {
    receive: (_message: InboundMessage, caller: Caller) =>
      new Promise<ReplyOutcome>((resolve, reject) => {
        if (rejection !== undefined) return reject(rejection);
        waiting.push(() =>
          resolve({ status: "withheld", messageId: "1", text: "", reason: "ended" }),
        );
        caller.onStored?.("1");
      }),
  };
  const channel = { name: "test" };
  const stopping = new AbortController();
  const account = { accountId: "default", config: {}, channel, receiving: stopping.signal };
  const inbound = new ChannelInbound({
    flow,
    access: { decide: () => ({ outcome: "accepted" }) },
    plugins: { fireEvent: async () => undefined },
    router: { route: () => ({ sessionKey: "agent:main:main" }) },
    accountOf: () => undefined,
    logger: silent,
    timers: clock,
    safety: () => ({}),
  } as never);
  let taken = 0;
  const take = async (thread?: string) => {
    taken += 1;
    const message = {
      ...incoming(String(taken), thread === undefined ? {} : { threadId: thread }),
      settled: (outcome: MessageOutcome) => void outcomes.push(outcome),
    };
    const received = inbound.receive(message, account as never as ChannelAccount);
    let isDone = false;
    received.then(
      () => {
        isDone = true;
      },
      () => undefined,
    );
    await clock.advanceAndSettle(0);
    return { received, isDone: () => isDone };
  };
  return { clock, take, waiting, stopping, outcomes };
}

describe("ChannelInbound", () => {
  it("[CHAN-053] pauses 10 ms for each waiting message of a conversation after the third, at most 100 ms", async () => {
    const { clock, take, waiting } = openInbound();
    for (let count = 0; count < 3; count += 1) expect((await take()).isDone()).toBe(true);
    for (const pauseMs of [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 100]) {
      const next = await take();
      await clock.advanceAndSettle(pauseMs - 1);
      expect(next.isDone()).toBe(false);
      await clock.advanceAndSettle(1);
      expect(next.isDone()).toBe(true);
    }
    expect((await take("another thread")).isDone()).toBe(true);

    for (const end of waiting.splice(0)) end();
    await clock.advanceAndSettle(0);
    expect((await take()).isDone()).toBe(true);
  });

  it("[CHAN-053] has accepted a message when the account stops while it waits", async () => {
    const { take, stopping } = openInbound();
    for (let count = 0; count < 3; count += 1) await take();
    const { received } = await take();
    stopping.abort(new Error("stopped"));
    expect(await received).toBe("accepted");
  });

  it("[CHAN-400] keeps receiving after a message that the host never accepts", async () => {
    const { take, outcomes } = openInbound(new MessageRefusedError("unacceptable", "a mark"));
    expect(await (await take()).received).toBe("ignored");
    expect(outcomes).toEqual([{ status: "failed", reason: "a mark" }]);
    const { take: later } = openInbound(new MessageRefusedError("stopping", "later"));
    await expect((await later()).received).rejects.toThrow("later");
  });
});
