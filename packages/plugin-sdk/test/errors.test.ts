import { describe, expect, it, vi } from "vitest";
import {
  AuthRequiredError,
  isPluginHookExecutionError,
  OpenClawError,
  ParameterError,
  PluginDataError,
  PluginDisposedError,
  PluginMigrationError,
  PluginPermissionError,
  PluginQueryError,
  PluginQuotaError,
  PluginStoreArgumentError,
  RuntimeCapabilityError,
} from "../src/index.js";

/** Loads a second, separately evaluated copy of the package. */
async function secondCopy(): Promise<typeof import("../src/errors.js")> {
  vi.resetModules();
  return import("../src/errors.js");
}

describe("errors", () => {
  it("[SDK-017] have a stable code, the name of their class, and their data", () => {
    const disposed = new PluginDisposedError("guard", "on");
    expect(disposed).toMatchObject({
      code: "PLUGIN_DISPOSED",
      kind: "conflict",
      name: "PluginDisposedError",
      pluginId: "guard",
    });
    expect(disposed.message).toContain('plugin "guard" called api.on after it was unloaded');
    const missing = new RuntimeCapabilityError("guard", "runtime.llm", "use a newer host");
    expect(missing).toMatchObject({
      code: "RUNTIME_CAPABILITY_MISSING",
      pluginId: "guard",
      capability: "runtime.llm",
    });
    expect(missing.message).toContain("use a newer host");
  });

  it("keep the cause", () => {
    const cause = new Error("underneath");
    expect(new OpenClawError("above", { cause }).cause).toBe(cause);
  });

  it("[SDK-017] are recognised when another copy of the package created them", async () => {
    const other = await secondCopy();
    const theirs = new other.PluginDisposedError("guard", "on");
    expect(theirs).not.toBeInstanceOf(PluginDisposedError);
    expect(PluginDisposedError.isInstance(theirs)).toBe(true);
    expect(OpenClawError.isInstance(theirs)).toBe(true);
    expect(RuntimeCapabilityError.isInstance(theirs)).toBe(false);
  });

  it("[SDK-017] are not recognised by their shape alone", () => {
    expect(PluginDisposedError.isInstance({ code: "PLUGIN_DISPOSED" })).toBe(false);
    expect(OpenClawError.isInstance(new Error("plain"))).toBe(false);
    expect(OpenClawError.isInstance(null)).toBe(false);
    expect(OpenClawError.isInstance("PLUGIN_DISPOSED")).toBe(false);
  });
});

describe("the errors of permissions, parameters and the store", () => {
  it.each([
    [
      new PluginPermissionError(
        "guard",
        "network.hosts",
        "example.com",
        'fetch from "example.com"',
      ),
      "PLUGIN_PERMISSION_MISSING",
      { pluginId: "guard", permission: "network.hosts", value: "example.com" },
      'permissions.network.hosts of its manifest does not name "example.com"; add it there',
    ],
    [
      new AuthRequiredError("mail/box", "no login was made yet"),
      "AUTH_REQUIRED",
      { credential: "mail/box", reason: "no login was made yet" },
      "run `openclaw secrets login mail/box`",
    ],
    [
      new ParameterError("limit", "a whole number", [3]),
      "PARAMETER_INVALID",
      { parameter: "limit" },
      'parameter "limit": expected a whole number, got a list; correct the call',
    ],
    [
      new PluginStoreArgumentError("guard", "store.kv.set", "key: expected a string, got null"),
      "PLUGIN_STORE_ARGUMENT",
      { pluginId: "guard" },
      'plugin "guard" called store.kv.set with a wrong argument: key: expected a string, got null',
    ],
    [
      new PluginQuotaError("guard", "store.kv.set", "it keeps 3 values", "delete one"),
      "PLUGIN_QUOTA_EXCEEDED",
      { pluginId: "guard" },
      'plugin "guard" called store.kv.set, but it keeps 3 values; delete one',
    ],
    [
      new PluginMigrationError("guard", "notes", "it was changed"),
      "PLUGIN_MIGRATION_FAILED",
      { pluginId: "guard", database: "notes" },
      'database "notes" of plugin "guard" was not opened: it was changed',
    ],
    [
      new PluginDataError("notes", "it has no primary key"),
      "PLUGIN_DATA_INVALID",
      { table: "notes" },
      'the table "notes" cannot be moved: it has no primary key',
    ],
    [
      new PluginQueryError("guard", "notes", "no such table: x"),
      "PLUGIN_QUERY_FAILED",
      { pluginId: "guard", database: "notes" },
      'database "notes" of plugin "guard" rejected a statement: no such table: x',
    ],
  ])("[SDK-017] %s", (error, code, data, sentence) => {
    expect(error).toMatchObject({ code, name: error.constructor.name, ...data });
    expect(error.message).toContain(sentence);
  });
});

describe("isPluginHookExecutionError", () => {
  it("recognises the hook engine's error by its brand alone", async () => {
    const other = await secondCopy();
    class PluginHookExecutionError extends other.OpenClawError {
      static override readonly code = "HOOK_EXECUTION";
    }
    const failed = new PluginHookExecutionError("failed", { code: "HOOK_TIMEOUT" });
    expect(isPluginHookExecutionError(failed)).toBe(true);
    expect(isPluginHookExecutionError(new OpenClawError("failed"))).toBe(false);
    expect(isPluginHookExecutionError(new Error("failed"))).toBe(false);
    expect(isPluginHookExecutionError(undefined)).toBe(false);
  });
});
