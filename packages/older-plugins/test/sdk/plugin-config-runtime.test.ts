import { describe, expect, it } from "vitest";
import { expectDefined } from "../../src/sdk/expect-runtime.js";
import {
  formatThinkingLevels,
  normalizeThinkLevel,
  supportsXHighThinking,
} from "../../src/sdk/llm-task.js";
import {
  normalizePluginsConfig,
  resolveEffectiveEnableState,
  resolveLivePluginConfigObject,
  resolvePluginConfigObject,
} from "../../src/sdk/plugin-config-runtime.js";
import {
  buildOptionalSecretInputSchema,
  buildSecretInputArraySchema,
  buildSecretInputSchema,
} from "../../src/sdk/secrets/secret-input.js";
import {
  asSafeIntegerInRange,
  normalizeBoundedOptionalString,
  normalizeSingleOrTrimmedStringList,
  normalizeUniqueStringEntries,
  parseBooleanValue,
  parseStrictFiniteNumber,
} from "../../src/sdk/string-coerce-runtime.js";

const config = { plugins: { entries: { guard: { config: { level: 2 } }, bare: {}, odd: 1 } } };

describe("the configuration of a plugin for older plugins", () => {
  it("[PLUG-145] is read from a configuration of the host, at the start or now", () => {
    expect(resolvePluginConfigObject(config, "guard")).toEqual({ level: 2 });
    expect(resolvePluginConfigObject(config, "bare")).toBeUndefined();
    expect(resolvePluginConfigObject(undefined, "guard")).toBeUndefined();
    expect(resolveLivePluginConfigObject(() => config, "guard", { level: 1 })).toEqual({
      level: 2,
    });
    expect(resolveLivePluginConfigObject(undefined, "guard", { level: 1 })).toEqual({ level: 1 });
  });

  it.each<[reason: string | undefined, plugins: object, plugin?: object]>([
    [undefined, {}],
    ["plugins disabled", { enabled: false }],
    ["blocked by denylist", { deny: ["guard"] }],
    ["disabled in config", { entries: { guard: { enabled: false } } }],
    ["not in allowlist", { allow: ["other"] }],
    [undefined, { allow: ["guard"] }],
    ["bundled (disabled by default)", {}, { origin: "bundled" }],
    [undefined, {}, { origin: "bundled", enabledByDefault: true }],
    [undefined, { entries: { guard: { enabled: true } } }, { origin: "bundled" }],
  ])("[PLUG-145] decides that it is on or off: %s", (reason, plugins, plugin) => {
    const state = resolveEffectiveEnableState({
      ...{ id: "guard", origin: "global", config: normalizePluginsConfig(plugins) },
      ...plugin,
    });
    expect(state).toEqual(reason === undefined ? { enabled: true } : { enabled: false, reason });
  });
});

describe("small values for older plugins", () => {
  it("[PLUG-145] are converted or rejected", () => {
    expect(asSafeIntegerInRange(3, { min: 0, max: 3 })).toBe(3);
    expect(asSafeIntegerInRange(4, { max: 3 })).toBeUndefined();
    expect(asSafeIntegerInRange(0.5, {})).toBeUndefined();
    expect(parseStrictFiniteNumber(" -1.5e2 ")).toBe(-150);
    expect(parseStrictFiniteNumber("12px")).toBeUndefined();
    expect([" True ", "no", true].map(parseBooleanValue)).toEqual([true, undefined, true]);
    expect(normalizeBoundedOptionalString(" abc ", 3)).toBe("abc");
    expect(normalizeBoundedOptionalString("abcd", 3)).toBeUndefined();
    expect(normalizeSingleOrTrimmedStringList(" a ")).toEqual(["a"]);
    expect(normalizeSingleOrTrimmedStringList(["a", 1, " "])).toEqual(["a"]);
    expect(normalizeUniqueStringEntries(["a", " a", "b"])).toEqual(["a", "b"]);
    expect(expectDefined(0, "a number")).toBe(0);
    expect(() => expectDefined(null, "a number")).toThrow("expected a number, got null");
  });

  it("[PLUG-145] name levels of thinking in their known spellings", () => {
    const given = ["On", "think-hard", "MED", "ultrathink", "x-high", "auto", "off", "loud", null];
    expect(given.map(normalizeThinkLevel)).toEqual([
      ...["low", "low", "medium", "high", "xhigh", "adaptive", "off", undefined, undefined],
    ]);
    expect(supportsXHighThinking("openai", "gpt")).toBe(false);
    expect(formatThinkingLevels()).toBe("off, minimal, low, medium, high, adaptive");
  });

  it("[PLUG-145] describe secrets as zod schemas", () => {
    const reference = { source: "env", provider: "default", id: "KEY" };
    const schema = buildSecretInputSchema();
    expect([schema.parse("text"), schema.parse(reference)]).toEqual(["text", reference]);
    expect(schema.safeParse({ source: "cloud", id: "KEY" }).success).toBe(false);
    expect(buildOptionalSecretInputSchema().parse(undefined)).toBeUndefined();
    expect(buildSecretInputArraySchema().parse(["a", reference])).toEqual(["a", reference]);
  });
});
