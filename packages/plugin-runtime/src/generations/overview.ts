import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import { type DisabledReason, enablingLine } from "../planning/enable-state.js";
import type { PluginPlan, UnplannedPlugin } from "../planning/plan.js";
import { factsOf, type PluginFacts } from "./record.js";

/** A plugin as described by its manifest and the configuration; none of its code has run. */
export type DiscoveredPlugin = PluginFacts &
  (
    | { readonly enabled: true }
    | {
        readonly enabled: false;
        readonly reason: DisabledReason;
        /** The line of the configuration that would enable it. */
        readonly hint: string;
      }
    | {
        readonly enabled: false;
        readonly error: { readonly code: string; readonly message: string };
      }
  );

/** Result that a load would have. */
export interface PluginOverview {
  /** Plugins that would be loaded, in the order of registration, then the others. */
  readonly plugins: readonly DiscoveredPlugin[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

/**
 * Formats a plan for people and programs.
 * @param plan - the plugins that would be loaded, and the reasons against the others
 */
export function describePlan(plan: PluginPlan): PluginOverview {
  const load = plan.load.map((planned) => ({ ...factsOf(planned), enabled: true as const }));
  return { plugins: [...load, ...plan.leave.map(describeLeft)], diagnostics: plan.diagnostics };
}

function describeLeft(left: UnplannedPlugin): DiscoveredPlugin {
  const facts = factsOf(left.candidate);
  if ("error" in left) {
    const { code, message } = left.error;
    return { ...facts, enabled: false, error: { code, message } };
  }
  return {
    ...facts,
    enabled: false,
    reason: left.reason,
    hint: enablingLine(left.candidate, left.reason),
  };
}
