import { LIFECYCLE_ALIASES, LIFECYCLE_PHASES } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias } from "@openclaw/plugin-sdk/lifecycle";
import { describe, expect, it, vi } from "vitest";
import { createHookWitness, type HookEntryPoint } from "../../src/hook-witness.js";
import { HOOK_SCENARIOS } from "../../src/scenarios/catalog.js";

/** Rows of the contract by alias. */
const ROWS = {
  preBoot: "LIFE-001",
  postBoot: "LIFE-002",
  preShutdown: "LIFE-003",
  postShutdown: "LIFE-004",
  preAgent: "LIFE-005",
  postRequest: "LIFE-006",
  preRequest: "LIFE-007",
  postRequestIngress: "LIFE-008",
  preRecall: "LIFE-009",
  postRecall: "LIFE-010",
  preResponse: "LIFE-011",
  postResponse: "LIFE-012",
  preToolExecution: "LIFE-013",
  postToolExecution: "LIFE-014",
  onToolError: "LIFE-015",
  onResponseError: "LIFE-016",
  onError: "LIFE-017",
  preCompaction: "LIFE-018",
  postCompaction: "LIFE-019",
} as const satisfies Record<LifecycleAlias, string>;

/** Registers by a phase or an alias. */
const by =
  (name: string): HookEntryPoint =>
  (api, _hook, handler) => {
    Reflect.apply(api.lifecycle.on, api.lifecycle, [name, handler]);
  };

const firing = Object.entries(ROWS).flatMap(([alias, row]) => {
  const phase = LIFECYCLE_ALIASES[alias as LifecycleAlias];
  const hook: CataloguedHookName = LIFECYCLE_PHASES[phase];
  const scenario = Object.entries(HOOK_SCENARIOS).find(([name]) => name === hook)?.[1];
  return scenario === undefined ? [] : [{ row, phase, alias, hook, scenario }];
});

describe("lifecycle phase", () => {
  it.each(firing)(
    "[$row] $phase and its alias $alias reach $hook when it fires",
    async ({ phase, alias, hook, scenario }) => {
      const { event, times = 1 } = scenario;
      for (const name of [phase, alias]) {
        const witness = createHookWitness([hook], by(name));
        await scenario.play(witness.plugin);
        await vi.waitFor(() => expect(witness.calls.length).toBeGreaterThanOrEqual(times));
        expect(witness.calls).toHaveLength(times);
        expect(witness.calls[0]).toMatchObject({ event, context: { hookName: hook } });
      }
    },
  );
});
