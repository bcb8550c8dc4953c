import {
  chooseModel,
  createDemoProvider,
  createEmbeddingCatalog,
  createModelCatalog,
  type EmbeddingCatalog,
  type ModelCatalog,
  type ModelChoice,
} from "@openclaw/models";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { variableOf } from "../configuration/environment.js";
import type { HostContext } from "./context.js";
import { localEmbeddings } from "./local-embeddings.js";

/** Models of a host: the demo model, those of the given providers, and those of plugins. */
export class HostModels {
  readonly #providers: readonly ModelProvider[];
  readonly #localEmbeddings = localEmbeddings();

  /** @param providers - providers in addition to the demo model and those of plugins */
  constructor(providers: readonly ModelProvider[] = []) {
    this.#providers = [createDemoProvider(), ...providers];
  }

  /**
   * Returns the model of agents without a configured one: `--model`, else `agents.defaults.model`, else the
   * variable `LLM_BACKEND`, else the default.
   * @param requested - `provider/model` of `--model`
   * @param context - configuration and environment
   * @param generation - plugins whose providers exist
   * @throws ModelNotFoundError when the chosen model does not exist
   */
  choose(
    requested: string | undefined,
    context: Pick<HostContext, "configuration" | "environment">,
    generation: PluginGeneration,
  ): ModelChoice {
    const providers = this.#of(generation);
    return chooseModel({ requested: requestedModel(requested, context), providers });
  }

  /**
   * Returns the models that turns can use.
   * @param generation - plugins whose providers exist
   */
  catalog(generation: PluginGeneration): ModelCatalog {
    return createModelCatalog(this.#of(generation));
  }

  /**
   * Returns the embedding models: those of the process, and those of the providers that have some.
   * @param generation - plugins whose providers exist
   */
  embeddings(generation: PluginGeneration): EmbeddingCatalog {
    return createEmbeddingCatalog([this.#localEmbeddings, ...this.#of(generation)]);
  }

  #of(generation: PluginGeneration): ModelProvider[] {
    return [...this.#providers, ...generation.providers.map(({ provider }) => provider)];
  }
}

function requestedModel(
  model: string | undefined,
  { configuration, environment }: Pick<HostContext, "configuration" | "environment">,
) {
  if (model !== undefined) return { ref: model, source: "flag" as const };
  const configured = configuration.value.agents?.defaults?.model;
  if (configured !== undefined) return { ref: configured, source: "config" as const };
  const backend = variableOf("agents.defaults.model", environment)?.value;
  return backend === undefined
    ? undefined
    : { ref: backend.replaceAll("_", "-"), source: "backend" as const };
}
