import { parseUsd } from "@openclaw/foundation";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { InvalidModelProviderError } from "../errors.js";
import type { ModelPrices } from "./model-row.js";

/**
 * Returns the prices that a provider states for one of its models (LLM-001).
 * @param modelId - ID of the model at the provider
 * @returns undefined when it states none
 * @throws InvalidModelProviderError when a price is not an amount of US dollars
 */
export function statedPrice(provider: ModelProvider, modelId: string): ModelPrices | undefined {
  const stated = provider.pricing?.(modelId);
  if (stated === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite } = stated;
  for (const [name, price] of Object.entries({ input, output, cacheRead, cacheWrite })) {
    if (price === undefined && name.startsWith("cache")) continue;
    if (typeof price === "string" && isExact(price)) continue;
    const problem = `the price "${name}" of model ${modelId} is ${JSON.stringify(price)}, expected US dollars per million tokens such as "0.25"`;
    throw new InvalidModelProviderError(provider.id, problem);
  }
  return stated;
}

/** Returns true for an amount that has whole picodollars per token. */
function isExact(price: string): boolean {
  const amount = parseUsd(price);
  return amount !== undefined && amount % 1_000_000n === 0n;
}
