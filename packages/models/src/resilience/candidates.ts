import type { ModelFallback } from "../configuration/models-section.js";
import type { ResolvedModel } from "../selection/catalog.js";
import type { ModelCandidate } from "./call.js";

/**
 * Returns the models that a call may use: the preferred one, with priority 0, and its fallbacks.
 * @param model - preferred model
 * @param fallbacks - models that are called when it fails, in the order of the configuration
 * @param resolve - returns the model of a name; called only when the model is about to be called
 */
export function modelCandidates(
  model: ResolvedModel,
  fallbacks: readonly ModelFallback[],
  resolve: (ref: string) => Promise<ResolvedModel>,
): ModelCandidate[] {
  const { ref, provider } = model;
  return [
    { ref, provider, priority: 0, resolve: async () => model },
    ...fallbacks.map((fallback) => ({
      ref: fallback.ref,
      priority: fallback.priority,
      provider: fallback.ref.slice(0, fallback.ref.indexOf("/")),
      resolve: () => resolve(fallback.ref),
    })),
  ];
}
