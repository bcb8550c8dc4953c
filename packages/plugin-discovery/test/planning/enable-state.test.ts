import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DisabledReason,
  type EnableSubject,
  type PluginsConfiguration,
  resolveEnableState,
} from "../../src/index.js";

function subject(changes: Partial<EnableSubject> = {}): EnableSubject {
  return { id: "guard", origin: "global", named: false, manifest: { id: "guard" }, ...changes };
}

function reasonFor(
  plugins: PluginsConfiguration,
  changes: Partial<EnableSubject> = {},
): DisabledReason | "on" {
  const state = resolveEnableState(subject(changes), plugins);
  return state.enabled ? "on" : state.reason;
}

describe("resolveEnableState", () => {
  it("enables a plugin by default", () => {
    expect(reasonFor({})).toBe("on");
  });

  it.each<[string, PluginsConfiguration, Partial<EnableSubject>, DisabledReason | "on"]>([
    ["plugins are off altogether", { enabled: false }, {}, "plugins-disabled"],
    ["it is denied", { deny: ["guard"] }, {}, "denied"],
    ["it is denied in other letters", { deny: ["Guard"] }, {}, "denied"],
    ["it is denied under the older key", { disabled: ["guard"] }, {}, "denied"],
    ["its entry says so", { entries: { guard: { enabled: false } } }, {}, "entry-disabled"],
    ["the allow list lacks it", { allow: ["other"] }, {}, "not-allowed"],
    ["the list under enabled lacks it", { enabled: ["other"] }, {}, "not-allowed"],
    ["it comes with the workspace", {}, { origin: "workspace" }, "workspace-default"],
    [
      "its manifest says so",
      {},
      { manifest: { id: "guard", enabledByDefault: false } },
      "default-off",
    ],
    ["its manifest asks for another host", {}, { conflicts: true }, "version-conflict"],
    [
      "the memory slot is another's",
      {},
      { manifest: { id: "guard", kind: "memory" } },
      "slot-taken",
    ],
    [
      "the memory slot stays empty",
      { slots: { memory: "none" } },
      { manifest: { id: "guard", kind: ["memory"] } },
      "slot-taken",
    ],
  ])("[PLUG-010] disables a plugin when %s", (_why, plugins, changes, reason) => {
    expect(reasonFor(plugins, changes)).toBe(reason);
  });

  it.each<[string, PluginsConfiguration, Partial<EnableSubject>]>([
    ["an empty allow list allows all", { allow: [] }, {}],
    ["the allow list names it", { allow: ["GUARD"] }, {}],
    [
      "its entry turns on what the workspace brings",
      { entries: { guard: { enabled: true } } },
      { origin: "workspace" },
    ],
    [
      "its entry turns on what is off by default",
      { entries: { guard: { enabled: true } } },
      { manifest: { id: "guard", enabledByDefault: false } },
    ],
    [
      "the entry of an older id counts",
      { entries: { "old-guard": { enabled: true } } },
      { manifest: { id: "guard", enabledByDefault: false, legacyPluginIds: ["old-guard"] } },
    ],
    [
      "the operator loads it although it asks for another host",
      { entries: { guard: { ignoreCompat: true } } },
      { conflicts: true },
    ],
    [
      "the operator named its path",
      {},
      { origin: "config", named: true, manifest: { id: "guard", enabledByDefault: false } },
    ],
    [
      "the slot names it, though it is off by default",
      { slots: { memory: "guard" } },
      { manifest: { id: "guard", kind: "memory", enabledByDefault: false } },
    ],
  ])("enables a plugin when %s", (_why, plugins, changes) => {
    expect(reasonFor(plugins, changes)).toBe("on");
  });

  it("gives the memory slot to the bundled memory plugin, also under its older name", () => {
    const memory = subject({ id: "memory", manifest: { id: "memory", kind: "memory" } });
    expect(resolveEnableState(memory, {})).toEqual({ enabled: true });
    expect(resolveEnableState(memory, { slots: { memory: "memory-core" } })).toEqual({
      enabled: true,
    });
  });

  it("never enables a plugin that is denied, disabled by its entry, or disabled globally", () => {
    const anything = fc.record(
      {
        allow: fc.array(fc.constantFrom("guard", "other")),
        slots: fc.constant({ memory: "guard" }),
        load: fc.constant({ paths: ["/anywhere"] as string[] }),
      },
      { requiredKeys: [] },
    );
    const killers: readonly PluginsConfiguration[] = [
      { enabled: false },
      { deny: ["guard"] },
      { disabled: ["guard"] },
      { entries: { guard: { enabled: false } } },
    ];
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom(...killers),
        fc.constantFrom("bundled", "workspace", "global", "config"),
        fc.boolean(),
        fc.constantFrom(undefined, "memory"),
        (plugins, killer, origin, named, kind) => {
          const manifest = { id: "guard", ...(kind === undefined ? {} : { kind }) };
          const state = resolveEnableState(subject({ origin, named, manifest }), {
            ...plugins,
            ...killer,
          });
          return !state.enabled;
        },
      ),
    );
  });

  it("[PLUG-010] names the first rule that matches, in the documented order", () => {
    const everything: PluginsConfiguration = {
      enabled: false,
      deny: ["guard"],
      entries: { guard: { enabled: false } },
      allow: ["other"],
    };
    const { enabled: _off, ...denied } = everything;
    const { deny: _deny, ...entryOff } = denied;
    const { entries: _entries, ...notAllowed } = entryOff;
    const changes = {
      origin: "workspace",
      conflicts: true,
      manifest: { id: "guard", kind: "memory", enabledByDefault: false },
    } as const;
    const withoutKind = { ...changes, manifest: { id: "guard", enabledByDefault: false } };
    expect(reasonFor(everything, changes)).toBe("plugins-disabled");
    expect(reasonFor(denied, changes)).toBe("denied");
    expect(reasonFor(entryOff, changes)).toBe("entry-disabled");
    expect(reasonFor(notAllowed, changes)).toBe("not-allowed");
    expect(reasonFor({}, changes)).toBe("slot-taken");
    expect(reasonFor({}, withoutKind)).toBe("version-conflict");
    expect(reasonFor({}, { ...withoutKind, conflicts: false })).toBe("workspace-default");
    expect(reasonFor({}, { ...withoutKind, conflicts: false, origin: "global" })).toBe(
      "default-off",
    );
    expect(Object.isFrozen(everything)).toBe(false);
    const frozen = Object.freeze({ ...everything });
    expect(resolveEnableState(Object.freeze(subject()), frozen)).toEqual(
      resolveEnableState(subject(), everything),
    );
  });
});
