import { isPluginHookExecutionError, PluginDisposedError } from "@openclaw/plugin-sdk/errors";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

it("[SDK-017] recognises the hook engine's own error with the SDK alone", async () => {
  const plugin = definePluginEntry({
    id: "broken",
    register(api) {
      const fail = () => {
        throw new Error("no door");
      };
      api.on("gateway_pre_start", fail, { mode: "fail-closed" });
    },
  });
  const failure: unknown = await createTestHost({ plugin }).catch((error: unknown) => error);
  if (!isPluginHookExecutionError(failure)) throw new Error("not recognised", { cause: failure });
  expect(failure).toMatchObject({
    code: "HOOK_THREW",
    pluginId: "broken",
    hookName: "gateway_pre_start",
    mode: "fail-closed",
  });
  expect(PluginDisposedError.isInstance(failure)).toBe(false);
});
