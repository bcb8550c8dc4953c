import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it, vi } from "vitest";
import * as runtime from "../src/index.js";

type ErrorClass = Pick<typeof OpenClawError, "code" | "isInstance" | "prototype">;

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries<ErrorClass>({
    PluginRegistrationError: runtime.PluginRegistrationError,
    UnknownPluginHookError: runtime.UnknownPluginHookError,
    PluginNotFoundError: runtime.PluginNotFoundError,
    PluginRuntimeDisposedError: runtime.PluginRuntimeDisposedError,
  }),
);

/** Every error of the package: its class, one of it, its code and its data. */
const ERRORS: [string, (from: typeof runtime) => OpenClawError, string, object][] = [
  [
    "PluginRegistrationError",
    (from) => new from.PluginRegistrationError("guard", "registerTool", "name", "expected a text"),
    "PLUGIN_REGISTRATION_INVALID",
    { pluginId: "guard", member: "registerTool", argument: "name" },
  ],
  [
    "UnknownPluginHookError",
    (from) => new from.UnknownPluginHookError("guard", "tool_cal", "no such hook"),
    "PLUGIN_HOOK_UNKNOWN",
    { pluginId: "guard", hookName: "tool_cal" },
  ],
  [
    "PluginNotFoundError",
    (from) => new from.PluginNotFoundError("gaurd", "guard"),
    "PLUGIN_NOT_FOUND",
    { pluginId: "gaurd" },
  ],
  [
    "PluginRuntimeDisposedError",
    (from) => new from.PluginRuntimeDisposedError("load"),
    "PLUGIN_RUNTIME_DISPOSED",
    {},
  ],
];

describe("runtime errors", () => {
  it.each(ERRORS)(
    "[SDK-017] include %s with a stable code and data, recognised across copies",
    async (name, make, code, data) => {
      const own = CLASSES.get(name) ?? OpenClawError;
      const error = make(runtime);
      expect(error).toMatchObject({ name, code, ...data });
      vi.resetModules();
      const theirs = make(await import("../src/index.js"));
      expect(theirs).not.toBeInstanceOf(own);
      for (const found of [error, theirs]) {
        expect(own.isInstance(found)).toBe(true);
        expect(OpenClawError.isInstance(found)).toBe(true);
        for (const [other] of ERRORS.filter(([each]) => each !== name)) {
          expect(CLASSES.get(other)?.isInstance(found), other).toBe(false);
        }
      }
      for (const other of [new Error("plain"), { code }, null, undefined, code]) {
        expect(own.isInstance(other)).toBe(false);
      }
    },
  );

  it("[SDK-017] have one class and one code per failure", () => {
    const exported = Object.keys(runtime).filter((name) => name.endsWith("Error"));
    expect(exported.toSorted()).toEqual([...CLASSES.keys()].toSorted());
    expect([...CLASSES.keys()].toSorted()).toEqual(ERRORS.map(([name]) => name).toSorted());
    expect(new Set(ERRORS.map(([, , code]) => code)).size).toBe(ERRORS.length);
  });
});
