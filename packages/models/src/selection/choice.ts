import type { ModelProvider } from "@openclaw/plugin-sdk";
import { ModelNotFoundError } from "../errors.js";
import { byPreference, DEMO_PROVIDER_ID, defaultProvider } from "./provider-order.js";
import { modelReference } from "./reference.js";

/** Where a named model was named: one of the usual places, or any other in words. */
export type ModelChoiceOrigin = "flag" | "config" | "backend" | { text: string };

/** The model a process or a run starts with, and what to tell the operator of it (GW-054). */
export interface ModelChoice {
  /** `<provider id>/<model id>`. */
  ref: string;
  /** Named by someone, found through a credential, or what is left. */
  reason: "requested" | "environment" | "demo";
  /** In words, for example `--model` or `OPENAI_API_KEY`; never a key. */
  source: string;
  /** True when its calls cost the operator money. */
  paid: boolean;
  /** How to make the chosen provider usable, or, for the demo model, every other one. */
  setupHints: string[];
}

const ORIGINS = {
  flag: "--model",
  config: "agents.defaults.model in openclaw.json",
  backend: "LLM_BACKEND",
};

/**
 * Chooses the model: what was asked for wins; else the first provider that has a credential, in
 * the order of LLM-008; else the demo model. Nothing else is ever chosen in silence (LLM-009).
 * @param input - `requested`: a model's name as `createModelCatalog().resolve` takes it, and where
 *   it was named; `providers`: the registered ones
 * @throws ModelNotFoundError when the requested name, or with none even the demo provider, is
 *   unknown
 */
export function chooseModel(input: {
  requested?: { ref: string; source: ModelChoiceOrigin } | undefined;
  providers: Iterable<ModelProvider>;
}): ModelChoice {
  const providers = [...input.providers];
  const { requested } = input;
  if (requested !== undefined) {
    const { ref, provider } = modelReference(requested.ref, providers);
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
    throw new ModelNotFoundError("", "no model is configured and there is no demo model", []);
  }
  const ref = `${provider.id}/${provider.defaultModel}`;
  const isDemo = provider.id === DEMO_PROVIDER_ID;
  return {
    ref,
    reason: isDemo ? "demo" : "environment",
    source: isDemo ? "no model key was found" : (provider.credential?.source ?? ""),
    paid: provider.paid,
    setupHints: setupHints(provider, providers),
  };
}

function setupHints(chosen: ModelProvider, providers: readonly ModelProvider[]): string[] {
  if (chosen.id !== DEMO_PROVIDER_ID) return chosen.credential === undefined ? [chosen.setup] : [];
  return byPreference(providers)
    .filter(({ id, credential }) => id !== DEMO_PROVIDER_ID && credential === undefined)
    .map(({ setup }) => setup);
}
