import { describe, expect, it, vi } from "vitest";
import { ToolRateLimits } from "../../src/index.js";
import { answers, approver, judging } from "../support/authorized-call.js";

/** Limits with a clock that the test moves, in milliseconds. */
function limits(configured: Record<string, number> = {}) {
  const clock = { now: 1_000_000 };
  return { clock, limits: new ToolRateLimits(configured, () => clock.now) };
}

/** Returns the number of simultaneous calls that are allowed. */
function letThrough(counted: ToolRateLimits, tool: string, user = "me"): number {
  return Array.from({ length: 300 }, () => counted.take(tool, user)).filter((wait) => wait === 0)
    .length;
}

describe("default rate limits", () => {
  it.each([
    ["exec", 120],
    ["bash", 120],
    ["write", 120],
    ["http", 60],
    ["read", 300],
    ["constructor", 300],
  ])("[TURN-070] allow %s %i times a minute", (tool, calls) => {
    expect(letThrough(limits().limits, tool)).toBe(calls);
  });

  it("[TURN-070] count write, edit and apply_patch together, and each user separately", () => {
    const { limits: counted } = limits();
    for (let call = 0; call < 60; call++) counted.take("write", "me");
    expect(letThrough(counted, "edit")).toBe(60);
    expect(letThrough(counted, "apply_patch")).toBe(0);
    expect(letThrough(counted, "apply_patch", "you")).toBe(120);
  });

  it("[TURN-070] report the remaining seconds, and allow calls again afterwards", () => {
    const { limits: counted, clock } = limits();
    for (let call = 0; call < 60; call++) {
      counted.take("http", "me");
      clock.now += 100;
    }
    expect(counted.take("http", "me")).toBe(54);
    clock.now += 53_999;
    expect(counted.take("http", "me")).toBe(1);
    clock.now += 1;
    expect(counted.take("http", "me")).toBe(0);
    expect(counted.take("http", "me")).toBe(1);
  });
});

describe("tools.rateLimits", () => {
  it("[TURN-070] limits a named tool separately, by any of its names; 0 means unlimited", () => {
    const { limits: counted } = limits({ "apply-patch": 2, bash: 0, read: 1 });
    expect(letThrough(counted, "apply_patch")).toBe(2);
    expect(letThrough(counted, "edit")).toBe(120);
    expect(letThrough(counted, "exec")).toBe(300);
    expect(letThrough(counted, "read_file")).toBe(1);
  });
});

describe("call over the rate limit", () => {
  it("[TURN-070] is rejected with the remaining seconds, without an approval request", async () => {
    const { host, execute } = await judging([], {
      asked: [{}, {}],
      changes: { approval: "always" },
      toolRateLimits: new ToolRateLimits(
        { work: 1 },
        vi.fn(() => 0),
      ),
    });
    const person = approver("allow-once", "allow-once");
    await host.run({ approver: person });
    expect(await answers(host)).toEqual([
      "ran",
      "Tool call denied: work was called too often in the last minute; it can be called again in 60 s",
    ]);
    expect(person.asked).toHaveLength(1);
    expect(execute).toHaveBeenCalledTimes(1);
    expect((await host.toolResults())[1]?.isError).toBe(true);
  });
});
