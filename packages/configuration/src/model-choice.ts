import {
  type AgentRuntimeChoice,
  type AgentRuntimeSetting,
  agentRuntimeSchema,
} from "@openclaw/agent";
import { isModelOf, type ModelFallback, messageSize, modelFallbacks } from "@openclaw/models";
import { Check } from "typebox/value";
import { variableOf } from "./environment.js";
import type { OpenClawConfiguration } from "./schema.js";

/**
 * Returns the model, or the backend whose model is chosen later, that configuration and variables name.
 * @param context - configuration and environment
 */
export function configuredModel({
  configuration,
  environment,
}: {
  readonly configuration: { readonly value: OpenClawConfiguration };
  readonly environment: NodeJS.ProcessEnv;
}) {
  const configured = configuration.value.agents?.defaults?.model;
  const backend = variableOf("agents.defaults.model", environment)?.value;
  if (configured !== undefined && (backend === undefined || isModelOf(configured, backend))) {
    return { ref: configured, source: "config" as const };
  }
  return backend === undefined ? undefined : { ref: backend, source: "backend" as const };
}

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

/**
 * Returns what runs the turns of an agent with a model: the setting of the agent, else of the model, of its provider or
 * of every agent (PLUG-701).
 * @param configuration - configuration of the host
 * @param agentId - agent of the turn
 * @param ref - `provider/model` of the turn
 * @param variable - `OPENCLAW_AGENT_RUNTIME`, which replaces `agents.defaults.agentRuntime.id`
 */
export function agentRuntimeOf(
  { agents = {}, models = {} }: OpenClawConfiguration,
  agentId: string,
  ref: string,
  variable: { readonly name: string; readonly value: string } | undefined,
): AgentRuntimeChoice {
  const { agentRuntimes = {} } = models;
  const provider = ref.slice(0, Math.max(0, ref.indexOf("/")));
  const named = (key: string) =>
    Object.hasOwn(agentRuntimes, key) ? agentRuntimes[key] : undefined;
  const settings: readonly (readonly [string, AgentRuntimeSetting | undefined])[] = [
    [`agents.${agentId}.agentRuntime`, ownRuntime(settingOf(agents, agentId, "agentRuntime"))],
    [`models.agentRuntimes["${ref}"]`, named(ref)],
    [`models.agentRuntimes["${provider}"]`, named(provider)],
    ["agents.defaults.agentRuntime", agents.defaults?.agentRuntime],
  ];
  const ofVariable = [variable?.name ?? "", variable && { id: variable.value }] as const;
  const ordered = [...settings.slice(0, -1), ofVariable, ...settings.slice(-1)];
  const [path, setting] = ordered.find(([, each]) => each?.id !== undefined) ?? [];
  const timeoutMs = settings.find(([, each]) => each?.timeoutMs !== undefined)?.[1]?.timeoutMs;
  const isVariable = path === variable?.name;
  return {
    id: setting?.id,
    timeoutMs,
    setting: isVariable ? (path ?? "") : `${path ?? "agents.defaults.agentRuntime"}.id`,
  };
}

/** Reads a setting that the schema has checked. */
function ownRuntime(setting: unknown): AgentRuntimeSetting | undefined {
  return Check(agentRuntimeSchema, setting) ? setting : undefined;
}

/** Returns a setting of an agent's own section. */
function settingOf(
  agents: object,
  agentId: string,
  key: "agentRuntime" | "fallbacks" | "model",
): unknown {
  if (agentId === "defaults" || !Object.hasOwn(agents, agentId)) return undefined;
  const section: unknown = Reflect.get(agents, agentId);
  return typeof section === "object" && section !== null ? Reflect.get(section, key) : undefined;
}
