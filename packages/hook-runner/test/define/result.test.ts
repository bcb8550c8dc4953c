import { describe, expect, it } from "vitest";
import { createFixture } from "../support/fixture.js";

const event = { toolName: "exec", params: {} };

type Returned = unknown;

async function decided(name: "check" | "send" | "gate", returned: Returned, options: object = {}) {
  const { runner, diagnostics } = createFixture();
  runner.register({
    name,
    owner: "p",
    source: "p.ts",
    handler: () => returned as never,
    ...options,
  });
  const outcome = await runner
    .detailed(name as "check", event, {})
    .catch((error: unknown) => ({ outcome: "rejected", error }));
  return { outcome, diagnostics, failed: runner.counters().hooks[name].failed };
}

describe("handler results", () => {
  it("[HOOK-018] drops unknown fields with one diagnostic per registration", async () => {
    const { runner, diagnostics } = createFixture();
    runner.register({
      name: "check",
      owner: "p",
      source: "p.ts",
      handler: () => ({ guidance: "g", blok: true, reson: "typo" }) as never,
    });
    for (let count = 0; count < 3; count += 1) {
      expect(await runner.decide("check", event, {})).toEqual({ guidance: "g" });
    }
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: "unknown-result-field", owner: "p", source: "p.ts" }),
    ]);
    expect(diagnostics[0]?.message).toContain("blok, reson");
  });

  it("[HOOK-018] treats a result of unknown fields only as malformed on a closed hook and as no result on an open one", async () => {
    expect(await decided("check", { blok: true })).toMatchObject({
      outcome: { outcome: "denied", failure: { code: "HOOK_MALFORMED" } },
    });
    expect(await decided("send", { blok: true })).toMatchObject({
      outcome: { outcome: "completed", result: undefined },
      diagnostics: [{ code: "unknown-result-field" }],
      failed: {},
    });
    expect(await decided("send", { blok: true }, { mode: "fail-closed" })).toMatchObject({
      outcome: { outcome: "denied", result: { cancel: true } },
    });
  });

  it("[HOOK-018] keeps only the allowed fields of a claim", async () => {
    const { runner } = createFixture();
    const hostile = JSON.parse('{"handled":true,"reply":"hi","__proto__":{"x":1},"extra":1}');
    runner.register({ name: "answer", owner: "a", source: "a", handler: () => hostile });
    expect(await runner.claim("answer", { body: "" }, {})).toEqual({ handled: true, reply: "hi" });
  });

  it("[HOOK-018] allows every field except unsafe ones in a claim that names no fields", async () => {
    const { createHookRunner } = await import("../../src/index.js");
    const runner = createHookRunner<{
      any: {
        kind: "claim";
        event: object;
        context: object;
        result: { handled: boolean; a?: number };
      };
    }>({ any: { kind: "claim", deadlineMs: 10, failure: "open" } }, { onDiagnostic: () => {} });
    const hostile = JSON.parse('{"handled":true,"a":1,"b":2,"__proto__":{"c":3},"constructor":4}');
    runner.register({ name: "any", owner: "p", source: "p", handler: () => hostile });
    const result = await runner.claim("any", {}, {});
    expect(Object.keys(result ?? {})).toEqual(["handled", "a", "b"]);
    expect((result as { c?: number }).c).toBeUndefined();
  });

  it.each([["text"], [5], [true], [["array"]], [() => {}], [Symbol("s")], [10n]])(
    "[HOOK-019] does not accept %s as a result: denies when closed, skips when open",
    async (returned) => {
      expect(await decided("check", returned)).toMatchObject({
        outcome: { outcome: "denied", result: { block: true } },
        failed: { HOOK_MALFORMED: 1 },
      });
      expect(await decided("send", returned)).toMatchObject({
        outcome: { outcome: "completed", result: undefined },
        failed: { HOOK_MALFORMED: 1 },
      });
    },
  );

  it("[HOOK-019] discards the whole result when one field has the wrong type", async () => {
    expect(await decided("check", { guidance: "kept?", block: "yes" })).toMatchObject({
      outcome: { outcome: "denied", result: { block: true } },
    });
    expect(await decided("send", { content: "kept?", cancel: 1 })).toMatchObject({
      outcome: { outcome: "completed", result: undefined },
    });
    for (const wrong of [
      { note: 5 },
      { tags: "a" },
      { only: {} },
      { urgent: "no" },
      { limits: [] },
      { limits: null },
    ]) {
      const { runner } = createFixture();
      runner.register({
        name: "build",
        owner: "p",
        source: "p",
        handler: () => ({ text: "kept?", ...wrong }) as never,
      });
      expect(await runner.rewrite("build", { text: "", tags: [] }, {})).toBeUndefined();
      expect(runner.counters().hooks.build.failed).toEqual({ HOOK_MALFORMED: 1 });
    }
  });

  it("[HOOK-019] treats a result that `validate` rejects as malformed, with its reason as the cause", async () => {
    expect(await decided("gate", { outcome: "maybe" })).toMatchObject({
      outcome: {
        outcome: "rejected",
        error: { code: "HOOK_MALFORMED", cause: { message: "outcome must be pass or block" } },
      },
    });
    expect(await decided("gate", { outcome: 5 })).toMatchObject({
      outcome: { outcome: "rejected", error: { code: "HOOK_MALFORMED" } },
    });
  });

  it("[HOOK-017] lets `validate` check null and {} too; undefined never counts as a result", async () => {
    expect(await decided("gate", undefined)).toMatchObject({ outcome: { outcome: "completed" } });
    for (const returned of [null, {}, { outcome: undefined }, { other: 1 }]) {
      expect(await decided("gate", returned)).toMatchObject({
        outcome: { outcome: "rejected", error: { code: "HOOK_MALFORMED" } },
      });
    }
    expect(await decided("gate", { outcome: "pass" })).toMatchObject({
      outcome: { outcome: "completed", result: { outcome: "pass" } },
    });
  });

  it("[HOOK-017] accepts no result when `validate` accepts none", async () => {
    const { createHookRunner } = await import("../../src/index.js");
    const run = async (verdict: unknown, returned: unknown) => {
      const runner = createHookRunner<{
        odd: { kind: "rewrite"; event: object; context: object; result: { a?: number } };
      }>(
        {
          odd: {
            kind: "rewrite",
            deadlineMs: 10,
            failure: "closed",
            merge: { a: "last" },
            emptyResult: "validate",
            validate: () => {
              if (verdict instanceof Error || verdict === "throw") throw verdict;
              return verdict as boolean;
            },
          },
        },
        { onDiagnostic: () => {} },
      );
      runner.register({ name: "odd", owner: "p", source: "p", handler: () => returned as never });
      return Promise.resolve(runner.rewrite("odd", {}, {})).catch((error: unknown) => error);
    };
    expect(await run(true, null)).toBeUndefined();
    expect(await run(true, {})).toBeUndefined();
    expect(await run(false, {})).toMatchObject({ code: "HOOK_MALFORMED" });
    expect(await run(undefined, { a: 1 })).toMatchObject({ code: "HOOK_MALFORMED" });
    expect(await run(new Error("broken"), { a: 1 })).toMatchObject({
      cause: { message: "the hook's validation threw: broken" },
    });
    expect(await run("throw", { a: 1 })).toMatchObject({
      cause: { message: `the hook's validation threw: "throw"` },
    });
    expect(await run({}, { a: 1 })).toMatchObject({ code: "HOOK_MALFORMED" });
  });

  it("[HOOK-019] treats a throwing definition function as a malformed result and continues the dispatch", async () => {
    const { createHookRunner } = await import("../../src/index.js");
    const runner = createHookRunner<{
      odd: { kind: "rewrite"; event: object; context: object; result: { a?: number; b?: number } };
    }>(
      {
        odd: {
          kind: "rewrite",
          deadlineMs: 10,
          failure: "open",
          merge: {
            a: "last",
            b: () => {
              throw new Error("merge");
            },
          },
        },
      },
      { onDiagnostic: () => {} },
    );
    runner.register({ name: "odd", owner: "p", source: "p", handler: () => ({ a: 1, b: 1 }) });
    runner.register({ name: "odd", owner: "q", source: "q", handler: () => ({ a: 2 }) });
    expect(await runner.rewrite("odd", {}, {})).toEqual({ a: 2 });
  });

  it("reads decisions from getters and class instances", async () => {
    class Decision {
      get block() {
        return true;
      }
      readonly blockReason = "by class";
    }
    expect(await decided("check", new Decision())).toMatchObject({
      outcome: { outcome: "terminal", result: { block: true, blockReason: "by class" } },
    });
  });

  it("[HOOK-024] treats a throwing getter as a throwing handler", async () => {
    const returned = {
      get block(): boolean {
        throw new Error("getter");
      },
    };
    expect(await decided("check", returned)).toMatchObject({
      outcome: { outcome: "denied", failure: { code: "HOOK_THREW" } },
    });
    const { runner } = createFixture();
    runner.register({ name: "check", owner: "p", source: "p", handler: async () => returned });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      failure: { code: "HOOK_THREW" },
    });
  });

  it("treats a `then` that throws when read as a throwing handler", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a hostile `then` is the point
    const returned = Object.defineProperty({}, "then", {
      get() {
        throw new Error("then");
      },
    });
    expect(await decided("check", returned)).toMatchObject({
      outcome: { outcome: "denied", failure: { code: "HOOK_THREW" } },
    });
  });
});
