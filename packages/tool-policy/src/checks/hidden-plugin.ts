import type { PolicyContext } from "../decision/context.js";
import type { Consideration } from "../decision/evaluation.js";
import { FlipSearch } from "../explanation/flip.js";
import type { LayerName, PolicyLayer } from "../layers/layer.js";
import { type PolicyWarning, placeOf } from "../layers/problem.js";
import type { PolicySource } from "../layers/source.js";
import type { PolicyTool } from "../matching/tool.js";
import { normalizeName } from "../matching/tool-name.js";

const DEFAULT_AGENT = "main";

function agentsOf(layers: readonly PolicyLayer[]): ReadonlySet<string> {
  const named = layers.flatMap(({ when }) => (when?.agentId === undefined ? [] : [when.agentId]));
  return new Set([DEFAULT_AGENT, ...named.map(normalizeName)]);
}

function toolsByPlugin(tools: readonly PolicyTool[]): Map<string, PolicyTool[]> {
  const plugins = new Map<string, PolicyTool[]>();
  for (const tool of tools) {
    // An optional tool without an opt-in is hidden on purpose, and nobody chose a plugin that comes with the host.
    if (tool.pluginId === undefined || tool.optional || tool.preinstalled === true) continue;
    const id = normalizeName(tool.pluginId);
    plugins.set(id, [...(plugins.get(id) ?? []), tool]);
  }
  return plugins;
}

interface Hidden {
  readonly consideration: Consideration;
  readonly layer: LayerName;
  readonly place: PolicySource;
}

function hiddenBy(consideration: Consideration): readonly Hidden[] {
  const { decidedBy } = consideration.evaluation;
  if (decidedBy.kind !== "layer" || decidedBy.verdict !== "deny-unlisted") return [];
  const { layer, source } = decidedBy;
  return [{ consideration, layer, place: source ?? { key: layer } }];
}

function warningOf(
  { consideration, layer, place }: Hidden,
  pluginId: string,
  agentId: string,
): PolicyWarning {
  const evaluation = consideration.evaluation.layers.find((each) => each.layer === layer);
  const label = evaluation?.rules?.definition.label ?? `the ${layer} allow list`;
  const plan = new FlipSearch(consideration).plan(`plugin:${pluginId}`);
  const lines = plan.complete ? plan.changes.map(({ text }) => text) : plan.steps;
  return {
    code: "POLICY_PLUGIN_HIDDEN",
    severity: "warning",
    ...placeOf(place),
    message: `${label} hides all tools of plugin "${pluginId}" from agent "${agentId}"`,
    suggestion: `to admit them: ${lines.join(", ")}`,
  };
}

/**
 * Reports plugins none of whose tools an agent can use because a profile or allow list does not
 * name them (POL-025).
 * @param layers - as compiled
 * @param tools - every tool that exists
 * @param consider - evaluates a tool with the compiled policy
 */
export function hiddenPlugins(
  layers: readonly PolicyLayer[],
  tools: readonly PolicyTool[],
  consider: (tool: PolicyTool, context: PolicyContext) => Consideration,
): readonly PolicyWarning[] {
  const warnings = new Map<string, PolicyWarning>();
  const agents = agentsOf(layers);
  for (const [pluginId, owned] of toolsByPlugin(tools)) {
    for (const agentId of agents) {
      const context = { agentId, senderIsOwner: true, sandboxed: false, subagentDepth: 0 };
      const considered = owned.map((tool) => consider(tool, context));
      if (considered.some(({ evaluation }) => evaluation.allowed)) continue;
      const [hidden] = considered.flatMap(hiddenBy);
      if (hidden === undefined) continue;
      // The same list hides the plugin from every agent that it applies to; one report is enough.
      const identity = JSON.stringify([pluginId, hidden.place]);
      if (warnings.has(identity)) continue;
      warnings.set(identity, warningOf(hidden, pluginId, agentId));
    }
  }
  return [...warnings.values()];
}
