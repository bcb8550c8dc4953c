import { describe, expect, it, vi } from "vitest";
import { isDiagnosticFlagEnabled } from "../../src/sdk/diagnostics/diagnostic-flags.js";
import {
  buildTimeoutAbortSignal,
  createDeferred,
  readPluginPackageVersion,
} from "../../src/sdk/extension-shared.js";
import {
  createLazyRuntimeMethodBinder,
  createLazyRuntimeModule,
  createLazyRuntimeNamedExport,
} from "../../src/sdk/lazy-runtime.js";

describe("small parts of the SDK of older hosts", () => {
  it("[PLUG-125] read flags of diagnostics from the configuration and the variable", () => {
    const config = { diagnostics: { flags: ["search.*"] } };
    expect(isDiagnosticFlagEnabled("search.http", config, {})).toBe(true);
    expect(isDiagnosticFlagEnabled("other", config, {})).toBe(false);
    expect(isDiagnosticFlagEnabled("search.http", undefined, {})).toBe(false);
    const named = { OPENCLAW_DIAGNOSTICS: "other, Third" };
    expect(
      ["other", "third", "search.http"].map((flag) => isDiagnosticFlagEnabled(flag, config, named)),
    ).toEqual([true, true, false]);
    expect(isDiagnosticFlagEnabled("search.http", config, { OPENCLAW_DIAGNOSTICS: "0" })).toBe(
      false,
    );
    expect(isDiagnosticFlagEnabled("any", {}, { OPENCLAW_DIAGNOSTICS: "*" })).toBe(true);
  });

  it("[PLUG-125] import a module once, and again after a failure", async () => {
    let calls = 0;
    const load = async () => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
      return { add: (one: number, two: number) => one + two };
    };
    const lazy = createLazyRuntimeModule(load);
    await expect(lazy()).rejects.toThrow("not yet");
    expect((await lazy()).add(1, 2)).toBe(3);
    expect(await lazy()).toBe(await lazy());
    expect(calls).toBe(2);
    expect((await createLazyRuntimeNamedExport(load, "add")())(2, 2)).toBe(4);
    expect(await createLazyRuntimeMethodBinder(lazy)(({ add }) => add)(4, 5)).toBe(9);
  });

  it("[PLUG-125] abort after a time or with another signal", () => {
    vi.useFakeTimers();
    try {
      const { signal } = buildTimeoutAbortSignal({
        timeoutMs: 2_000,
        operation: "search",
        url: "https://a.example/x?key=secret",
      });
      const stop = new AbortController();
      const both = buildTimeoutAbortSignal({ timeoutMs: 5_000, signal: stop.signal });
      const ended = buildTimeoutAbortSignal({ timeoutMs: 1_000 });
      ended.cleanup();
      vi.advanceTimersByTime(2_000);
      expect(signal?.reason).toMatchObject({
        name: "TimeoutError",
        message: "search to https://a.example/x took longer than 2000 ms",
      });
      expect([both.signal?.aborted, ended.signal?.aborted]).toEqual([false, false]);
      stop.abort();
      expect(both.signal?.aborted).toBe(true);
      expect(buildTimeoutAbortSignal({}).signal).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("[PLUG-125] settle promises, read versions and shape errors", async () => {
    const deferred = createDeferred<number>();
    deferred.resolve(7);
    expect(await deferred.promise).toBe(7);
    const found = (path: string) => {
      if (path === "./package.json") return { version: "1.2.3" };
      throw new Error("nothing there");
    };
    expect(readPluginPackageVersion({ require: found })).toBe("1.2.3");
    const nothing = { require: () => ({}), fallback: "0.0.0" };
    expect(readPluginPackageVersion(nothing)).toBe("0.0.0");
  });
});
