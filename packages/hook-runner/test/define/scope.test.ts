import { describe, expect, it } from "vitest";
import type { ScopeOptions } from "../../src/index.js";
import { type CallContext, type CheckEvent, createFixture } from "../support/fixture.js";

async function runs(
  scope: ScopeOptions,
  context: CallContext,
  event: Partial<CheckEvent> = {},
): Promise<boolean> {
  const { runner } = createFixture();
  let called = false;
  runner.register({
    name: "check",
    owner: "a",
    source: "a",
    scope,
    handler: () => {
      called = true;
    },
  });
  await runner.decide("check", { params: {}, ...event } as CheckEvent, context);
  return called;
}

describe("handler scope", () => {
  it("[HOOK-035] matches agent, tool and each channel field", async () => {
    expect(await runs({ agentIds: ["main"] }, { agentId: "main" })).toBe(true);
    expect(await runs({ agentIds: ["main"] }, { agentId: "other" })).toBe(false);
    expect(await runs({ toolNames: ["exec"] }, {}, { toolName: "exec" })).toBe(true);
    expect(await runs({ toolNames: ["exec"] }, { toolName: "exec" })).toBe(true);
    expect(await runs({ toolNames: ["exec"] }, { toolName: "exec" }, { toolName: "read" })).toBe(
      false,
    );
    expect(await runs({ channels: ["telegram"] }, { messageProvider: "telegram" })).toBe(true);
    expect(await runs({ channels: ["telegram"] }, {}, { channel: "telegram" })).toBe(true);
    expect(
      await runs({ channels: ["-100"] }, { messageProvider: "telegram", channelId: "-100" }),
    ).toBe(true);
    expect(
      await runs({ channels: ["discord"] }, { messageProvider: "telegram", channelId: "1" }),
    ).toBe(false);
  });

  it("[HOOK-035] ignores case and accepts `*` as a wildcard", async () => {
    expect(await runs({ agentIds: ["MAIN"] }, { agentId: "Main" })).toBe(true);
    expect(await runs({ agentIds: ["*"] }, { agentId: "any" })).toBe(true);
    expect(await runs({ toolNames: ["mcp__*"] }, {}, { toolName: "MCP__search" })).toBe(true);
    expect(await runs({ toolNames: ["*_file"] }, {}, { toolName: "read_file" })).toBe(true);
    expect(await runs({ toolNames: ["a**c"] }, {}, { toolName: "abc" })).toBe(true);
    expect(await runs({ toolNames: ["a*c"] }, {}, { toolName: "abcd" })).toBe(false);
    expect(await runs({ toolNames: ["a.c"] }, {}, { toolName: "abc" })).toBe(false);
    expect(await runs({ toolNames: ["a.*"] }, {}, { toolName: "a.b\nc" })).toBe(true);
  });

  it("[HOOK-035] requires every listed dimension to match; an empty list matches nothing", async () => {
    const both = { agentIds: ["main"], toolNames: ["exec", "read"] };
    expect(await runs(both, { agentId: "main" }, { toolName: "read" })).toBe(true);
    expect(await runs(both, { agentId: "main" }, { toolName: "write" })).toBe(false);
    expect(await runs(both, { agentId: "x" }, { toolName: "read" })).toBe(false);
    expect(await runs({ agentIds: [] }, { agentId: "main" })).toBe(false);
  });

  it("[HOOK-036] does not match an absent value, even with the wildcard, and reports skipped-scope", async () => {
    const { runner } = createFixture();
    const outcomes: string[] = [];
    runner.trace(({ handlers }) => outcomes.push(...handlers.map(({ outcome }) => outcome)));
    for (const scope of [{ agentIds: ["*"] }, { channels: ["*"] }, { toolNames: ["*"] }]) {
      runner.register({ name: "check", owner: "a", source: "a", scope, handler: () => {} });
    }
    await runner.decide("check", { params: {} } as never, {});
    expect(outcomes).toEqual(["skipped-scope", "skipped-scope", "skipped-scope"]);
    expect(runner.counters().hooks.check.skipped).toBe(3);
  });

  it("accepts numbers as ids and stays correct after its cache drops names", async () => {
    expect(await runs({ channels: ["42"] }, { channelId: 42 as never })).toBe(true);
    const { runner } = createFixture();
    let calls = 0;
    const handler = () => void calls++;
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler,
      scope: { agentIds: ["a*"] },
    });
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 400; count += 1) {
        const agentId = `${count % 2 === 0 ? "a" : "b"}${count}`;
        await runner.decide("check", { toolName: "x", params: {} }, { agentId });
      }
    }
    expect(calls).toBe(400);
    for (const agentId of ["a1", "b1", "a1", "b1"]) {
      await runner.decide("check", { toolName: "x", params: {} }, { agentId });
    }
    expect(calls).toBe(402);
  });
});
