import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { STEP_VARIABLE } from "../run/messages.js";
import type { HostConnection } from "./host.js";

/** Request of the engine to a model. */
interface LlmPayload {
  readonly prompt: string;
  readonly model?: string;
  readonly artifacts: readonly JsonValue[];
  readonly outputSchema?: JsonObject;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly retryContext?: { readonly validationErrors?: readonly string[] };
}

interface LlmCall {
  readonly payload: LlmPayload;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Creates the adapters with which `llm.invoke` and `llm_task.invoke` ask the host; every provider of the engine is the
 * host, which decides about the model.
 */
export function llmAdapters(host: HostConnection) {
  const adapter = { source: "openclaw", invoke: (call: LlmCall) => ask(host, call) };
  return { openclaw: adapter, pi: adapter, http: adapter };
}

async function ask(host: HostConnection, { payload, env, signal }: LlmCall) {
  const { prompt, model, artifacts, outputSchema, temperature, maxOutputTokens } = payload;
  const params: JsonObject = { prompt };
  if (artifacts.length > 0) params.input = JSON.parse(JSON.stringify(artifacts)) as JsonValue;
  if (outputSchema !== undefined) params.schema = outputSchema;
  if (model !== undefined) params.model = model;
  if (temperature !== undefined) params.temperature = temperature;
  if (maxOutputTokens !== undefined) params.maxOutputTokens = maxOutputTokens;
  const errors = payload.retryContext?.validationErrors ?? [];
  if (errors.length > 0) params.problems = [...errors];
  const value = await host.perform({ type: "llm", params }, env[STEP_VARIABLE], signal);
  return { ok: true, result: value };
}
