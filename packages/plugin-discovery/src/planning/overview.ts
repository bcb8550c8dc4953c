import { checkPluginConfig } from "../configuration/plugin-config.js";
import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import type { DisabledReason } from "./enable-state.js";
import { factsOf, type PluginFacts } from "./facts.js";
import type { PlannedPlugin, PluginPlan, UnplannedPlugin } from "./plan.js";

/** A plugin as described by its manifest and the configuration; none of its code has run. */
export type DiscoveredPlugin = PluginFacts &
  (
    | {
        readonly enabled: true;
        /**
         * Problems of its configuration with the schema of its manifest, each as `<JSON pointer>: <problem>`; the plugin
         * would not be loaded (PLUG-021).
         */
        readonly configProblems?: readonly string[];
      }
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
export async function describePlan(plan: PluginPlan): Promise<PluginOverview> {
  const load = await Promise.all(plan.load.map(describePlanned));
  return { plugins: [...load, ...plan.leave.map(describeLeft)], diagnostics: plan.diagnostics };
}

async function describePlanned(planned: PlannedPlugin): Promise<DiscoveredPlugin> {
  const { configSchema } = planned.manifest;
  const described = { ...factsOf(planned), enabled: true as const };
  if (planned.definition !== undefined || configSchema === undefined) return described;
  const checked = await checkPluginConfig(planned.entry?.config ?? {}, configSchema);
  return "problems" in checked ? { ...described, configProblems: checked.problems } : described;
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
    hint: left.line,
  };
}
