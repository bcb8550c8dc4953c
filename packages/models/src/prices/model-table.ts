import { MODEL_ROWS } from "../generated/model-rows.js";
import type { ResolvedModel } from "../selection/catalog.js";
import type { ModelPrices, ModelProperties, ModelRow } from "./model-row.js";

/** Properties of models from the configuration by name, `<provider>/<model>`; they replace single ones of the table. */
export type ModelOverrides = Readonly<Record<string, ModelProperties>>;

/** Price of a model, and whether it is the one of the table or the configuration. */
export interface KnownPrice {
  readonly price: ModelPrices;
  /** True for a model without a known price, which counts as {@link UNKNOWN_MODEL_PRICE}. */
  readonly isEstimated: boolean;
}

/** Price with which budgets count a model whose price is not known (LLM-029). */
export const UNKNOWN_MODEL_PRICE: ModelPrices = { input: "2.50", output: "10" };

const FREE: ModelPrices = { input: "0", output: "0" };

/** A known model. */
export interface KnownModel extends ModelProperties {
  /** Display name. */
  readonly name?: string | undefined;
  /** True for the model to use when only the provider is configured. */
  readonly isDefault?: true | undefined;
  /** URL of the page with the values of the table; absent for a model that only the configuration has. */
  readonly source?: string | undefined;
  /** Day of the source, as `YYYY-MM-DD`. */
  readonly date?: string | undefined;
}

const ROWS: ReadonlyMap<string, ModelRow> = new Map(
  MODEL_ROWS.map((row) => [nameOf(row.provider, row.model), row]),
);

/** Known models: the committed table, and what the configuration adds to it. */
export class ModelTable {
  readonly #overrides: ModelOverrides;

  /** @param overrides - properties from the configuration */
  constructor(overrides: ModelOverrides = {}) {
    this.#overrides = overrides;
  }

  /**
   * Returns what is known of a model.
   * @param model - ID of the model at the provider
   * @returns undefined when it is in neither the table nor the configuration
   */
  find(provider: string, model: string): KnownModel | undefined {
    const row = ROWS.get(nameOf(provider, model));
    const override = this.#override(provider, model);
    if (override === undefined) return row;
    // The source of the table says nothing about a price from the configuration.
    const { source, date, ...known } = row ?? {};
    return override.price === undefined ? { ...row, ...override } : { ...known, ...override };
  }

  /**
   * Returns the context windows of a model in tokens: the one of the table, and the one of the configuration.
   * @param model - ID of the model at the provider
   */
  contextTokensOf(
    provider: string,
    model: string,
  ): { readonly published?: number | undefined; readonly configured?: number | undefined } {
    return {
      published: ROWS.get(nameOf(provider, model))?.contextTokens,
      configured: this.#override(provider, model)?.contextTokens,
    };
  }

  /** Returns the IDs of the known language models of a provider, the default one first. */
  modelsOf(provider: string): readonly string[] {
    const names = new Set([...ROWS.keys(), ...Object.keys(this.#overrides)]);
    return [...names]
      .filter((name) => name.startsWith(`${provider}/`) && !isEmbedding(name))
      .sort((one, other) => rank(one) - rank(other))
      .map((name) => name.slice(provider.length + 1));
  }

  /**
   * Returns the price of a model: the one of the configuration, 0 for a model that costs nothing, the one of the
   * table, the one that its provider states, else an estimate (LLM-029).
   */
  priceOf({ provider, modelId, paid, price: stated }: PricedModel): KnownPrice {
    const configured = this.#override(provider, modelId)?.price;
    if (configured !== undefined) return { price: configured, isEstimated: false };
    if (!paid) return { price: FREE, isEstimated: false };
    const price = ROWS.get(nameOf(provider, modelId))?.price ?? stated;
    return price === undefined
      ? { price: UNKNOWN_MODEL_PRICE, isEstimated: true }
      : { price, isEstimated: false };
  }

  #override(provider: string, model: string): ModelProperties | undefined {
    const name = nameOf(provider, model);
    return Object.hasOwn(this.#overrides, name) ? this.#overrides[name] : undefined;
  }
}

/** Model whose price is looked up. */
export type PricedModel = Pick<ResolvedModel, "provider" | "modelId" | "paid" | "price">;

function isEmbedding(name: string): boolean {
  return ROWS.get(name)?.capabilities.includes("embedding") === true;
}

function rank(name: string): number {
  return ROWS.get(name)?.isDefault === true ? 0 : 1;
}

function nameOf(provider: string, model: string): string {
  return `${provider}/${model}`;
}
