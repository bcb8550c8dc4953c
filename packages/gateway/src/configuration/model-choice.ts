import { type ModelFallback, messageSize, modelFallbacks } from "@openclaw/models";
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
  const ofAgent = settingOf(agents, agentId, "fallbacks");
  const { fallbacks = {} } = models;
  const ofModel = Object.hasOwn(fallbacks, ref) ? fallbacks[ref] : undefined;
  return modelFallbacks(ofAgent ?? ofModel ?? agents.defaults?.fallbacks) ?? [];
}

/**
 * Returns the model for a message of this size, `models.routing` (LLM-034). An agent with a configured model keeps it.
 * @param configuration - configuration of the host
 * @param agentId - agent of the turn
 * @param text - text of the message
 */
export function modelBySize(
  { agents = {}, models = {} }: OpenClawConfiguration,
  agentId: string,
  text: string,
): string | undefined {
  const { routing } = models;
  if (routing === undefined || settingOf(agents, agentId, "model") !== undefined) return undefined;
  const size = messageSize(text);
  return size === "default" ? undefined : routing[size];
}

/** Returns a setting of an agent's own section. */
function settingOf(agents: object, agentId: string, key: "fallbacks" | "model"): unknown {
  if (agentId === "defaults" || !Object.hasOwn(agents, agentId)) return undefined;
  const section: unknown = Reflect.get(agents, agentId);
  return typeof section === "object" && section !== null ? Reflect.get(section, key) : undefined;
}
