import type { Context } from "hono";
import { readTarget, type Target } from "../openai/caller.js";
import { isFailure, type OpenAiFailure } from "../openai/error.js";
import type { OpenAiHost } from "../openai/host.js";

/** Header of a response with the agent or model that stands for an unknown name. */
const MAPPED_HEADER = "OpenClaw-Model";
/** Name that stands for every other one. */
const ANY = "*";

/** Part of the host that chooses agents and models. */
export type ModelNames = Pick<OpenAiHost, "agentIds" | "models" | "modelNames">;

/**
 * Returns the agent and the model that a request selects. Clients of the Messages API have names of models built in, so
 * every name is accepted: that of an agent or a model as on the other routes, the ID of a permitted model without its
 * provider, one of `gateway.anthropic.models`, and any other for the agent `main`.
 * @param context - context of the request
 * @param name - `model` of the request
 * @param host - agents and models
 */
export function readMessageTarget(
  context: Context,
  name: string,
  host: ModelNames,
): Target | OpenAiFailure {
  const known = readTarget(context, name, host);
  if (!isFailure(known)) return known;
  // Agents that do not exist are slips, not built-in names.
  if (/^(?:openclaw\/|agent:)/.test(name)) return known;
  const mapped = mappedName(name, host);
  const models = () => [...host.models(), mapped];
  const target = readTarget(context, mapped, { agentIds: host.agentIds, models });
  if (!isFailure(target)) context.header(MAPPED_HEADER, mapped);
  return target;
}

function mappedName(name: string, { models, modelNames }: ModelNames): string {
  const mapping = modelNames();
  const exact = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  if (exact !== undefined) return exact;
  const permitted = models().find((model) => model.slice(model.indexOf("/") + 1) === name);
  if (permitted !== undefined) return permitted;
  const pattern = Object.keys(mapping)
    .filter((key) => key.endsWith(ANY) && name.startsWith(key.slice(0, -1)))
    .sort((one, other) => other.length - one.length)[0];
  return (pattern === undefined ? undefined : mapping[pattern]) ?? "openclaw";
}
