import { describe, expect, it, vi } from "vitest";
import * as errors from "../src/index.js";

const failure = {
  code: "HOOK_SATURATED",
  pluginId: "p",
  hookName: "h",
  registrationId: "r",
  mode: "fail-open",
  attempts: 0,
  durationMs: 0,
  detail: "all its slots are held",
} as const;

const option = { owner: "p", hook: "h", option: "priority", value: "9", allowed: "a number" };

const RECOGNISE = {
  PluginHookExecutionError: (value: unknown) => errors.PluginHookExecutionError.isInstance(value),
  HookDefinitionError: (value: unknown) => errors.HookDefinitionError.isInstance(value),
  HookOptionError: (value: unknown) => errors.HookOptionError.isInstance(value),
  UnknownHookError: (value: unknown) => errors.UnknownHookError.isInstance(value),
  HookUsageError: (value: unknown) => errors.HookUsageError.isInstance(value),
};

describe("hook errors", () => {
  it.each([
    [
      "PluginHookExecutionError",
      (from: typeof errors) => new from.PluginHookExecutionError(failure),
    ],
    ["HookDefinitionError", (from: typeof errors) => new from.HookDefinitionError("h", ["a", "b"])],
    ["HookOptionError", (from: typeof errors) => new from.HookOptionError(option)],
    ["UnknownHookError", (from: typeof errors) => new from.UnknownHookError("x", undefined, [])],
    ["HookUsageError", (from: typeof errors) => new from.HookUsageError("HOOK_ARGUMENT", "wrong")],
  ] as const)(
    "[HOOK-032] recognise %s by its brand, also from a second copy of the module",
    async (name, make) => {
      vi.resetModules();
      const theirs = make(await import("../src/index.js"));
      expect(theirs.constructor).not.toBe(make(errors).constructor);
      for (const error of [make(errors), theirs]) {
        expect(error.name).toBe(name);
        for (const [other, isInstance] of Object.entries(RECOGNISE)) {
          expect(isInstance(error), other).toBe(other === name);
        }
      }
      for (const other of [new Error("plain"), undefined, null, "text", {}]) {
        expect(RECOGNISE[name](other)).toBe(false);
      }
    },
  );

  it("have the code and the kind of the failure", () => {
    expect(new errors.PluginHookExecutionError(failure)).toMatchObject({
      code: "HOOK_SATURATED",
      kind: "busy",
    });
    const late = { ...failure, code: "HOOK_TIMEOUT" } as const;
    expect(new errors.PluginHookExecutionError(late)).toMatchObject({ kind: "timeout" });
    expect(new errors.HookUsageError("HOOK_ARGUMENT", "wrong")).toMatchObject({
      code: "HOOK_ARGUMENT",
      kind: "internal",
    });
  });

  it("print a value without running its code", () => {
    const message = (value: unknown) =>
      new errors.HookOptionError({ owner: "p", hook: "h", option: "o", value, allowed: "x" })
        .message;
    expect(message("x".repeat(70))).toContain(`"${"x".repeat(60)}…"`);
    expect(message([1])).toContain("an array");
    expect(message({ toString: () => "no" })).toContain("an object");
    expect(message(null)).toContain("got null");
    expect(message(() => {})).toContain("a function");
    expect(message(5n)).toContain("5n");
    expect(message(undefined)).toContain("undefined");
  });
});
