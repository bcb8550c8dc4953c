import { describe, expect, it } from "vitest";
import { createFixture } from "../support/fixture.js";

describe("explain", () => {
  it("[HOOK-051] lists the handlers that would run, in order, and the reason each other one would not", () => {
    const { runner } = createFixture({
      gate: ({ owner }) =>
        owner === "installed" ? { active: false, reason: "needs consent" } : { active: true },
    });
    runner.owner("guard", { timeouts: { check: 250 } });
    runner.register({
      name: "check",
      owner: "installed",
      source: "i.ts",
      id: "held",
      handler: () => {},
    });
    runner.register({
      name: "check",
      owner: "agent",
      source: "a.ts",
      id: "other agent",
      scope: { agentIds: ["x"] },
      handler: () => {},
    });
    runner.register({
      name: "check",
      owner: "guard",
      source: "g.ts",
      id: "guard",
      priority: -5,
      mode: "fail-open",
      onTimeout: "fail-closed",
      condition: () => true,
      handler: () => {},
    });
    runner.register({
      name: "check",
      owner: "tool",
      source: "t.ts",
      id: "exec only",
      timeoutMs: 30,
      scope: { toolNames: ["exec"] },
      handler: () => {},
    });
    expect(runner.explain("check", { agentId: "main" }, { toolName: "exec" })).toEqual({
      hook: "check",
      kind: "decide",
      generation: 1,
      handlers: [
        {
          id: "other agent",
          hook: "check",
          owner: "agent",
          source: "a.ts",
          stage: "ordinary",
          priority: 0,
          runs: false,
          reason: "scope.agentIds does not match",
        },
        {
          id: "exec only",
          hook: "check",
          owner: "tool",
          source: "t.ts",
          stage: "ordinary",
          priority: 0,
          runs: true,
          mode: "fail-closed",
          onTimeout: "fail-closed",
          deadlineMs: 30,
          deadlineFrom: "registration",
          conditional: false,
        },
        {
          id: "guard",
          hook: "check",
          owner: "guard",
          source: "g.ts",
          stage: "ordinary",
          priority: -5,
          runs: true,
          mode: "fail-open",
          onTimeout: "fail-closed",
          deadlineMs: 250,
          deadlineFrom: "operator-hook",
          conditional: true,
        },
        {
          id: "held",
          hook: "check",
          owner: "installed",
          source: "i.ts",
          stage: "ordinary",
          priority: 0,
          runs: false,
          reason: "needs consent",
        },
      ],
    });
    expect(runner.explain("check").handlers.map((handler) => handler.runs)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it("[HOOK-051] shows no deadline for a sync handler", () => {
    const { runner } = createFixture();
    runner.owner("a", { timeoutMs: 5 });
    runner.register({ name: "stamp", owner: "a", source: "a", handler: () => {} });
    const [handler] = runner.explain("stamp").handlers;
    expect(handler).not.toHaveProperty("deadlineMs");
    expect(() => runner.explain("nope" as "stamp")).toThrow(/does not exist/);
  });
});
