import { type ModelFallback, modelFallbacks } from "@openclaw/models";
import type { OpenClawConfiguration } from "./schema.js";

/**
 * Returns the models that are called when a model fails: those of the agent, else those of the model, else those of
 * every agent.
 * @param configuration - configuration of the host
 * @param agentId - agent of the turn
 * @param ref - `provider/model` of the turn
 */
export function fallbacksOf(
  { agents = {}, models = {} }: OpenClawConfiguration,
  agentId: string,
  ref: string,
): readonly ModelFallback[] {
  const sections: Readonly<Record<string, unknown>> = agents;
  const section = Object.hasOwn(sections, agentId) ? sections[agentId] : undefined;
  const isAgent = agentId !== "defaults" && typeof section === "object" && section !== null;
  const ofAgent = isAgent && "fallbacks" in section ? section.fallbacks : undefined;
  const { fallbacks = {} } = models;
  const ofModel = Object.hasOwn(fallbacks, ref) ? fallbacks[ref] : undefined;
  return modelFallbacks(ofAgent ?? ofModel ?? agents.defaults?.fallbacks) ?? [];
}
