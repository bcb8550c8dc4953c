import type { PluginPlan } from "@openclaw/plugin-discovery";
import type { PluginState } from "./generation.js";

/**
 * Returns the positions of plugins in the order of a plan, which is that of a fresh start.
 * @param plan - all plugins
 * @returns position of a plugin by its id
 */
export function ranksOfPlan(plan: PluginPlan): (planId: string) => number {
  const ranks = new Map<string, number>();
  // The first of two candidates with the same id is the loaded one and sets the position.
  for (const id of idsOfPlan(plan)) if (!ranks.has(id)) ranks.set(id, ranks.size);
  return (planId) => ranks.get(planId) ?? ranks.size;
}

/**
 * Returns the position of one plugin among others: its previous one while it was enabled, or the
 * next after all plugins that precede it in the plan.
 * @param planId - the plugin
 * @param plan - all plugins
 * @param before - previous state of the plugin
 */
export function rankAmong(
  planId: string,
  plan: PluginPlan,
  before: readonly PluginState[],
  others: readonly PluginState[],
): number {
  const old = before.find(({ instance }) => instance !== undefined);
  if (old !== undefined) return old.rank;
  const ids = idsOfPlan(plan);
  const ahead = new Set(ids.slice(0, ids.indexOf(planId)));
  const ranks = others.map(({ rank }) => rank).sort((a, b) => a - b);
  const last = Math.max(
    -1,
    ...others.flatMap((other) => (ahead.has(other.planId) ? other.rank : [])),
  );
  const next = ranks.find((rank) => rank > last);
  return next === undefined ? last + 1 : (last + next) / 2;
}

/**
 * Returns the ids of all plugins of a plan, loaded ones first.
 * @param plan - all plugins
 */
export function idsOfPlan({ load, leave }: PluginPlan): string[] {
  return [...load.map(({ id }) => id), ...leave.map(({ candidate }) => candidate.id)];
}
