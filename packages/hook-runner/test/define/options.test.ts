import { describe, expect, it } from "vitest";
import { HookOptionError } from "../../src/index.js";
import { createFixture } from "../support/fixture.js";

const good = { name: "check", owner: "guard", source: "guard.ts", handler: () => {} } as const;

describe("registration options", () => {
  it.each([
    ["priority", "5", "a finite number"],
    ["priority", Number.NaN, "a finite number"],
    ["priority", Number.POSITIVE_INFINITY, "a finite number"],
    ["timeoutMs", 0, "an integer from 1 to 600000"],
    ["timeoutMs", 600_001, "an integer from 1 to 600000"],
    ["timeoutMs", 1.5, "an integer from 1 to 600000"],
    ["timeoutMs", "1s", "an integer from 1 to 600000"],
    ["mode", "open", '"fail-open" or "fail-closed"'],
    ["onTimeout", true, '"fail-open" or "fail-closed"'],
    ["retry", 3, "an object"],
    ["retry", [1], "an object"],
    ["retry.count", 6, "an integer from 0 to 5"],
    ["retry.count", undefined, "an integer from 0 to 5"],
    ["retry.backoffMs", -1, "a number from 0 to 60000"],
    ["retry.backoffMs", 60_001, "a number from 0 to 60000"],
    ["retry.backoffMs", "fast", "a number from 0 to 60000"],
    ["maxConcurrency", 0, "an integer from 1"],
    ["maxConcurrency", 1.5, "an integer from 1"],
    ["scope", "telegram", "an object"],
    ["scope", null, "an object"],
    ["scope.channels", "telegram", "an array of strings"],
    ["scope.agentIds", [1], "an array of strings"],
    ["condition", true, "a function"],
    ["id", "", "a non-empty string"],
    ["id", 5n, "a non-empty string"],
    ["label", Symbol("x"), "a string"],
  ])("[HOOK-004] rejects %s = %s and registers nothing", (option, value, allowed) => {
    const { runner } = createFixture();
    const [key = "", inner] = option.split(".");
    const options =
      inner === undefined ? { [key]: value } : { [key]: { count: 1, [inner]: value } };
    if (key === "scope" && inner !== undefined) delete (options.scope as { count?: number }).count;
    try {
      runner.register({ ...good, ...options } as never);
      expect.unreachable();
    } catch (error) {
      expect(HookOptionError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        code: "HOOK_OPTION",
        owner: "guard",
        hook: "check",
        option,
        value,
      });
      expect((error as Error).message).toContain(allowed);
    }
    expect(runner.registrations()).toEqual([]);
  });

  it("[HOOK-004] rejects an unknown scope dimension, which would otherwise widen the scope", () => {
    const { runner } = createFixture();
    expect(() => runner.register({ ...good, scope: { channel: ["x"] } } as never)).toThrow(
      /made of the dimensions channels, agentIds, toolNames, got "channel"/,
    );
  });

  it("[HOOK-004] accepts both ends of every range", () => {
    const { runner, diagnostics } = createFixture();
    for (const options of [
      { priority: -0.5, timeoutMs: 1, retry: { count: 0 }, maxConcurrency: 1 },
      { timeoutMs: 600_000, retry: { count: 5, backoffMs: 60_000 }, scope: {} },
      { scope: { channels: undefined }, mode: "fail-open", onTimeout: "fail-closed", label: "" },
    ] as const) {
      runner.register({ ...good, ...options } as never);
    }
    expect(runner.registrations()).toHaveLength(3);
    expect(diagnostics).toEqual([]);
  });

  it("[HOOK-005] ignores unknown options with one diagnostic", () => {
    const { runner, diagnostics } = createFixture();
    runner.register({ ...good, retries: 3, timeout: 5 } as never);
    expect(runner.registrations()).toHaveLength(1);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: "ineffective-option", owner: "guard", hook: "check" }),
    ]);
    expect(diagnostics[0]?.message).toContain("retries, timeout");
  });

  it("[HOOK-005] ignores options that a sync hook does not use, with one diagnostic", () => {
    const { runner, diagnostics } = createFixture();
    runner.register({
      name: "stamp",
      owner: "a",
      source: "a",
      handler: ({ line }) => ({ line: `> ${line}` }),
      timeoutMs: 5,
      retry: { count: 1 },
      maxConcurrency: 2,
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["ineffective-option"]);
    expect(diagnostics[0]?.message).toContain("timeoutMs, retry, maxConcurrency");
    expect(runner.sync("stamp", { line: "x" }, {})).toEqual({ line: "> x" });
  });

  it("[HOOK-005] ignores scope.toolNames on a hook without a tool and applies the other dimensions", async () => {
    const { runner, diagnostics } = createFixture();
    const calls: string[] = [];
    const add = (id: string, scope: object) =>
      runner.register({
        name: "seen",
        owner: "a",
        source: "a",
        id,
        scope,
        handler: () => calls.push(id),
      });
    add("tool only", { toolNames: ["exec"] });
    add("agent too", { toolNames: ["exec"], agentIds: ["main"] });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("scope.toolNames"),
      expect.stringContaining("scope.toolNames"),
    ]);
    await runner.observe("seen", { id: "1" }, { agentId: "other" });
    expect(calls).toEqual(["tool only"]);
  });
});
