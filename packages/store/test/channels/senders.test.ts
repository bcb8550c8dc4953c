import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.js";
import { openTestStore, START } from "../support/open-store.js";

const MINUTE_MS = 60_000;
const LIMITS = {
  pendingMs: 15 * MINUTE_MS,
  maxPendingPerChannel: 3,
  maxFailures: 10,
  failureWindowMs: 5 * MINUTE_MS,
};
const ALICE = { channel: "telegram", accountId: "default", senderId: "1", userName: "Alice" };

async function openSenders() {
  let now = START;
  const store: Store = await openTestStore({ now: () => now });
  const { channelSenders } = store;
  return {
    channelSenders,
    advance(ms: number) {
      now += ms;
    },
    ask: (senderId: string, code: string) =>
      channelSenders.request({ ...ALICE, senderId }, code, LIMITS),
    approve: (code: string, channel = "telegram") =>
      channelSenders.approve(channel, code, "operator", LIMITS),
  };
}

describe("ChannelSenders", () => {
  it("[HOST-021] keeps a request for 15 minutes, and at most 3 of one channel", async () => {
    const { channelSenders, ask, approve, advance } = await openSenders();
    expect(await ask("1", "AAAAAAAA")).toMatchObject({ outcome: "created" });
    expect(await ask("1", "BBBBBBBB")).toMatchObject({
      outcome: "pending",
      request: { code: "AAAAAAAA", expiresAt: START + LIMITS.pendingMs },
    });
    await ask("2", "CCCCCCCC");
    await ask("3", "DDDDDDDD");
    expect(await ask("4", "EEEEEEEE")).toEqual({ outcome: "full" });
    const other = { ...ALICE, channel: "slack", senderId: "4" };
    expect(await channelSenders.request(other, "FFFFFFFF", LIMITS)).toMatchObject({
      outcome: "created",
    });
    advance(LIMITS.pendingMs - 1);
    expect(await channelSenders.pending()).toHaveLength(4);
    advance(1);
    expect(await channelSenders.pending()).toEqual([]);
    expect(await approve("AAAAAAAA")).toMatchObject({ outcome: "unknown" });
    expect(await ask("4", "EEEEEEEE")).toMatchObject({ outcome: "created" });
  });

  it("[HOST-022] stores the sender of an approved code, and forgets the request", async () => {
    const { channelSenders, ask, approve, advance } = await openSenders();
    await ask("1", "AAAAAAAA");
    advance(1000);
    expect(await approve("AAAAAAAA")).toEqual({
      outcome: "approved",
      sender: { ...ALICE, addedAt: START + 1000, addedBy: "operator" },
    });
    expect(await channelSenders.admitted()).toMatchObject([{ senderId: "1", userName: "Alice" }]);
    expect(await channelSenders.pending()).toEqual([]);
    expect(await approve("AAAAAAAA")).toMatchObject({ outcome: "unknown", attemptsLeft: 9 });
  });

  it("[HOST-021] locks a channel for the rest of the 5 minutes after 10 wrong codes", async () => {
    const { ask, approve, advance } = await openSenders();
    await ask("1", "AAAAAAAA");
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await approve("ZZZZZZZZ")).toEqual({
        outcome: "unknown",
        attemptsLeft: 10 - attempt,
      });
      advance(1000);
    }
    const left = LIMITS.failureWindowMs - 10_000;
    expect(await approve("AAAAAAAA")).toEqual({ outcome: "locked", retryAfterMs: left });
    expect(await approve("ZZZZZZZZ", "slack")).toMatchObject({ outcome: "unknown" });
    advance(left);
    expect(await approve("AAAAAAAA")).toMatchObject({ outcome: "approved" });
  });

  it("removes a sender from one account or from all of them", async () => {
    const { channelSenders, approve } = await openSenders();
    for (const [accountId, code] of [
      ["work", "AAAAAAAA"],
      ["home", "BBBBBBBB"],
    ] as const) {
      await channelSenders.request({ ...ALICE, accountId }, code, LIMITS);
      await approve(code);
    }
    expect(await channelSenders.remove("telegram", "1", "work")).toEqual(["work"]);
    expect(await channelSenders.admitted()).toMatchObject([{ accountId: "home" }]);
    expect(await channelSenders.remove("telegram", "1")).toEqual(["home"]);
    expect(await channelSenders.remove("telegram", "1")).toEqual([]);
  });
});
