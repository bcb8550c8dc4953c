import { describe, expect, it } from "vitest";
import {
  HOOK_NAMES,
  isHookName,
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  PLUGIN_API_VERSION,
  PluginApprovalResolutions,
} from "../src/index.js";

describe("constants", () => {
  it("[SDK-016] are exported and frozen", () => {
    for (const constant of [
      HOOK_NAMES,
      LIFECYCLE_PHASES,
      LIFECYCLE_ALIASES,
      PluginApprovalResolutions,
    ]) {
      expect(Object.isFrozen(constant)).toBe(true);
    }
    expect(isHookName("before_tool_call")).toBe(true);
    expect(isHookName("before_tool_calls")).toBe(false);
    expect(Object.values(PluginApprovalResolutions)).toEqual([
      "allow-once",
      "allow-always",
      "deny",
      "timeout",
      "cancelled",
    ]);
    expect(PLUGIN_API_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
