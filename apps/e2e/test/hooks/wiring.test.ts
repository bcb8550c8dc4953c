import { createPluginRuntime } from "@openclaw/plugin-runtime";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import { describe, expect, it, vi } from "vitest";
import { createHookWitness, type HookWitness } from "../../src/hook-witness.js";
import { HOOK_SCENARIOS, HOOKS_TO_COME } from "../../src/scenarios/catalog.js";

/** Hooks that may do without a call site for now; no other ever may. */
const LATER_FLOORS: readonly string[] = [];
const ignore = () => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Many hooks fire in one scenario; it is played once, before a witness of all of them. */
const played = new Map<object, Promise<HookWitness>>();

function witnessOf(play: (typeof HOOK_SCENARIOS)["agent_end"]["play"]): Promise<HookWitness> {
  const known = played.get(play);
  if (known !== undefined) return known;
  const witness = createHookWitness(HOOK_NAMES);
  const whole = play(witness.plugin).then(() => witness);
  played.set(play, whole);
  return whole;
}

describe("catalog hook", () => {
  it.each(Object.entries(HOOK_SCENARIOS))(
    "[HOOKCAT:%s] fires end to end, with the fields of its row",
    async (hook, scenario) => {
      const { times = 1, event, context } = scenario;
      const witness = await witnessOf(scenario.play);
      await vi.waitFor(() => expect(witness.of(hook).length).toBeGreaterThanOrEqual(times));
      const calls = witness.of(hook);
      expect(calls).toHaveLength(times);
      expect(calls[0]).toMatchObject({
        event,
        context: { ...context, hookName: hook, pluginId: "witness" },
      });
      expect(calls.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  it("[HCR-001] is the only kind of hook", async () => {
    const runtime = createPluginRuntime({ config: {}, inline: [], logger: SILENT });
    const dispatch = async () =>
      Reflect.apply(runtime.hooks.observe, runtime.hooks, ["made_up", {}, {}]);
    await expect(dispatch()).rejects.toThrow(/made_up/);
    await runtime.dispose();
  });

  it("[HCR-001] [TURN-058] has a scenario, or is listed as a later hook and does not fire", async () => {
    const scenarios = Object.keys(HOOK_SCENARIOS);
    expect([...scenarios, ...HOOKS_TO_COME].sort()).toEqual([...HOOK_NAMES].sort());
    expect(LATER_FLOORS).toEqual(expect.arrayContaining([...HOOKS_TO_COME]));
    const plays = new Set(Object.values(HOOK_SCENARIOS).map(({ play }) => play));
    const witnesses = await Promise.all([...plays].map(witnessOf));
    const fired = new Set(witnesses.flatMap(({ calls }) => calls.map(({ hook }) => hook)));
    expect(HOOKS_TO_COME.filter((hook) => fired.has(hook))).toEqual([]);
  });
});
