import type { ModelProvider } from "@openclaw/plugin-sdk";
import { ModelNotFoundError } from "../errors.js";
import { backendReference } from "./backend.js";
import { byPreference, DEMO_PROVIDER_ID, defaultProvider } from "./provider-order.js";
import { modelReference } from "./reference.js";

/** Source of a model name: one of the usual ones, or a description of another. */
export type ModelChoiceOrigin = "flag" | "config" | "backend" | { text: string };

/** The model with which a process or a run starts, and information about it for the operator (GW-054). */
export interface ModelChoice {
  /** `<provider id>/<model id>`. */
  ref: string;
  /** Reason of the choice: requested, found through a credential, or the fallback. */
  reason: "requested" | "environment" | "demo";
  /** Description of the source, for example `--model` or `OPENAI_API_KEY`; never a key. */
  source: string;
  /** True when its calls cost the operator money. */
  paid: boolean;
  /** Setup hints for the chosen provider, or for all others when the demo model was chosen. */
  setupHints: string[];
}

const ORIGINS = {
  flag: "--model",
  config: "agents.defaults.model in openclaw.json",
  backend: "LLM_BACKEND",
};

/**
 * Chooses the model: the requested one; otherwise the first provider with a credential, in the order of
 * LLM-008; otherwise the demo model. No other choice is made silently (LLM-009).
 * @param input - `requested`: name of a model as `createModelCatalog().resolve` accepts it, or with the source
 * `backend` the value of `LLM_BACKEND`; `providers`: registered providers
 * @throws UnknownModelBackendError when `LLM_BACKEND` names no provider
 * @throws ModelNotFoundError when the requested name, or without one the demo provider, is unknown
 */
export function chooseModel(input: {
  requested?: { ref: string; source: ModelChoiceOrigin } | undefined;
  providers: Iterable<ModelProvider>;
}): ModelChoice {
  const providers = [...input.providers];
  const { requested } = input;
  if (requested !== undefined) {
    const isBackend = requested.source === "backend";
    const wanted = isBackend ? backendReference(requested.ref, providers) : requested.ref;
    const { ref, provider } = modelReference(wanted, providers);
    return {
      ref,
      reason: "requested",
      source:
        typeof requested.source === "string" ? ORIGINS[requested.source] : requested.source.text,
      paid: provider.paid,
      setupHints: setupHints(provider, providers),
    };
  }
  const provider = defaultProvider(providers.filter(({ defaultModel }) => defaultModel !== ""));
  if (provider === undefined) {
    throw new ModelNotFoundError(
      "",
      "no model is configured and the demo model is not registered",
      [],
    );
  }
  const ref = `${provider.id}/${provider.defaultModel}`;
  const isDemo = provider.id === DEMO_PROVIDER_ID;
  return {
    ref,
    reason: isDemo ? "demo" : "environment",
    source: isDemo ? "no API key for a model was found" : (provider.credential?.source ?? ""),
    paid: provider.paid,
    setupHints: setupHints(provider, providers),
  };
}

function setupHints(chosen: ModelProvider, providers: readonly ModelProvider[]): string[] {
  if (chosen.id !== DEMO_PROVIDER_ID) return chosen.credential === undefined ? [chosen.setup] : [];
  return byPreference(providers)
    .filter(({ id, credential }) => id !== DEMO_PROVIDER_ID && credential === undefined)
    .filter(({ offersModels }) => offersModels !== false)
    .map(({ setup }) => setup);
}
