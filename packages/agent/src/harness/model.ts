import type { LanguageModelV4, ModelCatalog, ResolvedModel } from "@openclaw/models";
import type { RunningTurn } from "../context/turn.js";
import { type HarnessSelectionDependencies, hasNamedHarness } from "./selection.js";

/** Dependencies of {@link resolveTurnModel}. */
export interface TurnModelDependencies extends HarnessSelectionDependencies {
  readonly models: Pick<ModelCatalog, "resolve">;
}

/**
 * Returns the model of a turn. A model that a named harness runs needs no provider of the host, because the harness logs
 * in by itself; then only the harness can call it.
 * @param ref - `provider/model`
 * @throws what the catalog throws for a model that nothing can run
 */
export async function resolveTurnModel(
  turn: RunningTurn<TurnModelDependencies>,
  ref: string,
): Promise<ResolvedModel> {
  try {
    return await turn.dependencies.models.resolve(ref);
  } catch (error) {
    const slash = ref.indexOf("/");
    if (slash === -1 || !hasNamedHarness(turn, ref)) throw error;
    const provider = ref.slice(0, slash);
    const modelId = ref.slice(slash + 1);
    return { ref, provider, modelId, paid: false, model: harnessModel(provider, modelId, error) };
  }
}

/** Returns a model that fails with the reason why the host cannot call it, for example to write a summary. */
function harnessModel(provider: string, modelId: string, error: unknown): LanguageModelV4 {
  const fail = () => Promise.reject(error);
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: fail,
    doStream: fail,
  };
}
