import { describe, expect, it } from "vitest";
import { rateLimitGuard } from "../../src/rate-limit/guard.js";
import { installGuard, temporaryStore } from "../support/installed-guard.js";
import { GUEST_CONTEXT } from "../support/open-host.js";

const message = { content: "hello", channel: "telegram", senderId: "guest-1" };

describe("rate_limit_guard", () => {
  it("[DHOOK-037] allows 20 messages a minute by default, and names the seconds left", async () => {
    const clock = { now: 1_000_000 };
    const guard = await installGuard(rateLimitGuard, true, clock);
    for (let count = 0; count < 20; count += 1) {
      expect(await guard.fire("message_receiving", message, GUEST_CONTEXT)).toBeUndefined();
      clock.now += 1000;
    }
    expect(await guard.fire("message_receiving", message, GUEST_CONTEXT)).toEqual({
      cancel: true,
      cancelReason: "rate_limit_guard: more than 20 messages in 60 s",
      reply: "Too many messages. Try again in 40 seconds.",
    });
    const other = { ...GUEST_CONTEXT, senderId: "guest-2" };
    expect(
      await guard.fire("message_receiving", { ...message, senderId: "guest-2" }, other),
    ).toBeUndefined();
    clock.now += 40_000;
    expect(await guard.fire("message_receiving", message, GUEST_CONTEXT)).toBeUndefined();
    expect(guard.counts).toEqual({ seen: 23, changed: 0, blocked: 1, failed: 0 });
  });

  it("[DHOOK-037] counts by channel or by tool", async () => {
    const guard = await installGuard(rateLimitGuard, {
      max: 1,
      by: "channel",
      tools: { max: 1, windowSeconds: 10, by: "tool" },
    });
    const call = (toolName: string) =>
      guard.fire("before_tool_call", { toolName, params: {} }, GUEST_CONTEXT);
    await guard.fire("message_receiving", message, GUEST_CONTEXT);
    const other = { ...GUEST_CONTEXT, senderId: "guest-2" };
    expect(
      await guard.fire("message_receiving", { ...message, senderId: "guest-2" }, other),
    ).toMatchObject({ cancel: true });
    expect(await call("read")).toBeUndefined();
    expect(await call("list")).toBeUndefined();
    expect(await call("read")).toEqual({
      block: true,
      blockReason: "rate_limit_guard: more than 1 tool calls in 10 s; try again in 10 seconds",
    });
  });

  it("[DHOOK-037] exempts owners unless configured otherwise", async () => {
    const owner = { ...GUEST_CONTEXT, senderIsOwner: true };
    for (const [exemptOwners, outcome] of [
      [true, undefined],
      [false, true],
    ] as const) {
      const guard = await installGuard(rateLimitGuard, { max: 1, exemptOwners });
      await guard.fire("message_receiving", message, owner);
      const second = await guard.fire("message_receiving", message, owner);
      expect(second?.cancel).toBe(outcome);
    }
  });

  it("[DHOOK-037] counts what an earlier process counted", async () => {
    const clock = { now: 5_000_000, store: await temporaryStore() };
    const before = await installGuard(rateLimitGuard, { max: 2 }, clock);
    await before.fire("message_receiving", message, GUEST_CONTEXT);
    await before.fire("message_receiving", message, GUEST_CONTEXT);
    await before.dispose();
    clock.now += 30_000;
    const after = await installGuard(rateLimitGuard, { max: 2 }, clock);
    expect(await after.fire("message_receiving", message, GUEST_CONTEXT)).toMatchObject({
      reply: "Too many messages. Try again in 30 seconds.",
    });
  });

  it("rejects events while the counts cannot be read", async () => {
    const store = await temporaryStore();
    const broken = {
      ...store,
      kv: store.kv,
      database: () => Promise.reject(new Error("disk full")),
    };
    const guard = await installGuard(rateLimitGuard, true, { now: 1, store: broken });
    await expect(guard.fire("message_receiving", message, GUEST_CONTEXT)).rejects.toThrow(
      "disk full",
    );
    expect(guard.counts.failed).toBe(1);
  });
});
