import { makeSingleCall, type SpendingDependencies, stringsSize } from "@openclaw/agent";
import { type EmbeddingsSection, flagFromEnvironment, variableOf } from "@openclaw/configuration";
import {
  EmbeddingsDisabledError,
  type EmbedOptions,
  embedTexts,
  type ResolvedEmbeddingModel,
  type TextEmbeddings,
} from "@openclaw/models";
import type { EmbeddingModelResult } from "@openclaw/plugin-sdk/provider-entry";
import { scanLeaks } from "@openclaw/safety";
import type { HostContext } from "../context.js";
import type { GenerationServices } from "../generation-services.js";

/** Provider that is used without configuration: nothing is paid, and no text leaves the host. */
const DEFAULT_PROVIDER = "local";

/** Strings to embed. */
export interface EmbeddingRequest extends Pick<EmbedOptions, "dimensions" | "signal"> {
  readonly texts: readonly string[];
  /** Name of the model; the configured one when absent. */
  readonly model?: string | undefined;
}

/** Configuration and environment of the host. */
interface EmbeddingsContext extends Pick<HostContext, "environment"> {
  readonly configuration: Pick<HostContext["configuration"], "value">;
}

/** Account of the requests for vectors. */
export interface EmbeddingSpending {
  /** Store, budgets, prices and log. */
  readonly dependencies: SpendingDependencies;
  /** Agent for which the requests count. */
  readonly agentId: string;
}

/** Embeddings of a host: the configured model, the budgets (LLM-031), and the leak detector before strings leave the host (MEM-024). */
export class HostEmbeddings {
  readonly #context: EmbeddingsContext;
  readonly #services: () => Pick<GenerationServices, "embeddings" | "safety">;
  readonly #spending: () => EmbeddingSpending | Promise<EmbeddingSpending>;

  /**
   * @param context - configuration and environment
   * @param services - returns the models and safety rules of the current plugins
   * @param spending - returns the account; called when a request leaves the host
   */
  constructor(
    context: EmbeddingsContext,
    services: () => Pick<GenerationServices, "embeddings" | "safety">,
    spending: () => EmbeddingSpending | Promise<EmbeddingSpending>,
  ) {
    this.#context = context;
    this.#services = services;
    this.#spending = spending;
  }

  /**
   * Returns a model.
   * @param name - name of the model; the configured one when absent
   * @throws EmbeddingsDisabledError, ModelNotFoundError, ModelProviderNotReadyError, ModelProviderFailedError
   */
  async model(name?: string | undefined): Promise<ResolvedEmbeddingModel> {
    const { configuration, environment } = this.#context;
    const section = configuration.value.embeddings ?? {};
    if (!(flagFromEnvironment("embeddings.enabled", environment) ?? section.enabled ?? true)) {
      throw new EmbeddingsDisabledError();
    }
    const { embeddings } = this.#services();
    return await embeddings.resolve(name ?? configuredModel(section, environment));
  }

  /**
   * Embeds strings. Each request to a provider is a model call, with budgets and cost. A text with a secret is not sent to a provider; its result has the reason.
   * @param request - strings and model
   * @throws EmbeddingsDisabledError, UnsupportedDimensionsError, ModelBudgetError, and the errors of models
   */
  async embed({ texts, model: name, ...options }: EmbeddingRequest): Promise<TextEmbeddings> {
    const model = await this.model(name);
    const { rules } = this.#services().safety;
    const inspect = (text: string) => {
      const { findings } = scanLeaks(text, { rules });
      const finding = findings.find(({ action }) => action === "block");
      return finding && `rule "${finding.rule}" found a secret in it`;
    };
    return await embedTexts(model, texts, {
      ...options,
      inspect,
      account: (values, send) => this.#account(model, values, send),
    });
  }

  async #account(
    model: ResolvedEmbeddingModel,
    values: readonly string[],
    send: () => Promise<EmbeddingModelResult>,
  ): Promise<EmbeddingModelResult> {
    const { dependencies, agentId } = await this.#spending();
    const single = { caller: { agentId }, model, size: stringsSize(values) };
    const { result } = await makeSingleCall(dependencies, single, async () => {
      const result = await send();
      const tokens = result.usage?.tokens;
      return { result, usage: tokens === undefined ? {} : { input: tokens, output: 0 } };
    });
    return result;
  }
}

/** Returns the name of the configured model; the model of the file belongs to the provider of the file. */
function configuredModel(file: EmbeddingsSection, environment: NodeJS.ProcessEnv): string {
  const named = variableOf("embeddings.provider", environment)?.value.replaceAll("_", "-");
  const isOther = named !== undefined && named !== file.provider;
  const provider = named ?? file.provider;
  const model =
    variableOf("embeddings.model", environment)?.value ?? (isOther ? undefined : file.model);
  if (model === undefined) return provider ?? DEFAULT_PROVIDER;
  if (provider === undefined && model.includes("/")) return model;
  const prefix = `${provider ?? DEFAULT_PROVIDER}/`;
  return model.startsWith(prefix) ? model : `${prefix}${model}`;
}
