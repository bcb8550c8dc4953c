import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { GUARD_DESCRIPTIONS, type GuardName } from "../guard-names.js";
import { type GuardCounts, storedCounts } from "./counters.js";

/** State of a guard by its configuration. */
export type GuardState =
  | { readonly name: GuardName; readonly state: "on" | "off" }
  | { readonly name: GuardName; readonly state: "invalid"; readonly problem: string };

/** State of all guards, for operators. */
export interface GuardsStatus {
  readonly guards: readonly (GuardState & { readonly counts: GuardCounts })[];
  /** Sentences about keys of the configuration that name no guard. */
  readonly problems: readonly string[];
}

const NOTHING: GuardCounts = { seen: 0, changed: 0, blocked: 0, failed: 0 };

/**
 * Returns the state of all guards with their stored numbers.
 * @param database - database of the guards
 * @param states - states by configuration
 * @param problems - sentences about unknown keys
 */
export async function guardsStatus(
  database: PluginDatabase,
  states: readonly GuardState[],
  problems: readonly string[],
): Promise<GuardsStatus> {
  const counts = await storedCounts(database);
  return {
    guards: states.map((state) => ({ ...state, counts: counts.get(state.name) ?? NOTHING })),
    problems,
  };
}

/**
 * Returns false if a guard that the configuration names is not active, because a value or its name is wrong.
 * @param status - state of all guards
 */
export function isSound({ guards, problems }: GuardsStatus): boolean {
  return problems.length === 0 && guards.every(({ state }) => state !== "invalid");
}

/**
 * Returns the lines of a status.
 * @param status - state of all guards
 */
export function statusLines({ guards, problems }: GuardsStatus): string[] {
  const width = Math.max(...guards.map(({ name }) => name.length));
  const rows = guards.map((guard) => {
    const { seen, changed, blocked, failed } = guard.counts;
    const shown =
      guard.state === "off" && seen === 0
        ? GUARD_DESCRIPTIONS[guard.name]
        : `${seen} seen, ${changed} changed, ${blocked} blocked, ${failed} failed`;
    return `${guard.name.padEnd(width)}  ${guard.state.padEnd(7)}  ${shown}`;
  });
  const invalid = guards.flatMap((guard) => (guard.state === "invalid" ? [guard.problem] : []));
  return [
    ...rows,
    ...[...invalid, ...problems].map((problem) => `! ${problem}`),
    ...(guards.every(({ state }) => state === "off")
      ? [
          "No guard is on. Enable one: openclaw config set plugins.entries.guardrails.config.profanity_filter true",
        ]
      : []),
  ];
}
