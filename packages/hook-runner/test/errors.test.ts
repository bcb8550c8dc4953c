import { describe, expect, it } from "vitest";
import {
  HookDefinitionError,
  HookOptionError,
  HookUsageError,
  PluginHookExecutionError,
  UnknownHookError,
} from "../src/index.js";

const execution = new PluginHookExecutionError({
  code: "HOOK_SATURATED",
  pluginId: "p",
  hookName: "h",
  registrationId: "r",
  mode: "fail-open",
  attempts: 0,
  durationMs: 0,
  detail: "all its slots are held",
});

describe("errors", () => {
  it.each([
    ["PluginHookExecutionError", PluginHookExecutionError, execution],
    ["HookDefinitionError", HookDefinitionError, new HookDefinitionError("h", ["a", "b"])],
    [
      "HookOptionError",
      HookOptionError,
      new HookOptionError({
        owner: "p",
        hook: "h",
        option: "priority",
        value: "9",
        allowed: "a number",
      }),
    ],
    ["UnknownHookError", UnknownHookError, new UnknownHookError("x", undefined, [])],
    ["HookUsageError", HookUsageError, new HookUsageError("HOOK_ARGUMENT", "wrong")],
  ])(
    "[HOOK-032] %s is recognised by its brand, also when a second copy made it",
    (name, type, error) => {
      expect(error.name).toBe(name);
      expect(type.isInstance(error)).toBe(true);
      const copy = Object.assign(new Error("from another copy"), {
        [Symbol.for(`openclaw.${name}`)]: true,
      });
      expect(type.isInstance(copy)).toBe(true);
      for (const other of [new Error("plain"), undefined, null, "text", {}]) {
        expect(type.isInstance(other)).toBe(false);
      }
    },
  );

  it("show a value without running its code", () => {
    const message = (value: unknown) =>
      new HookOptionError({ owner: "p", hook: "h", option: "o", value, allowed: "x" }).message;
    expect(message("x".repeat(70))).toContain(`"${"x".repeat(60)}…"`);
    expect(message([1])).toContain("an array");
    expect(message({ toString: () => "no" })).toContain("an object");
    expect(message(null)).toContain("got null");
    expect(message(() => {})).toContain("a function");
    expect(message(5n)).toContain("5n");
    expect(message(undefined)).toContain("undefined");
  });
});
