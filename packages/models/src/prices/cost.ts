import { parseUsd } from "@openclaw/foundation";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import type { ModelPrices, TokenPrices } from "./model-row.js";

const MILLION = 1_000_000n;

/**
 * Returns the cost of tokens. Tokens that the provider read from its cache or stored in it have their own price
 * and are part of `input` (LLM-004).
 * @param usage - tokens of a call; missing counts are 0
 * @returns picodollars, exact
 */
export function costOf(usage: Usage, price: ModelPrices): bigint {
  const input = tokens(usage.input);
  const cacheRead = atMost(tokens(usage.cacheRead), input);
  const cacheWrite = atMost(tokens(usage.cacheWrite), input - cacheRead);
  const { above } = price;
  const prices: TokenPrices =
    above !== undefined && input > BigInt(above.inputTokens) ? above : price;
  return (
    (input - cacheRead - cacheWrite) * perToken(prices.input) +
    cacheRead * perToken(prices.cacheRead ?? prices.input) +
    cacheWrite * perToken(prices.cacheWrite ?? prices.input) +
    tokens(usage.output) * perToken(prices.output)
  );
}

function tokens(count = 0): bigint {
  return BigInt(Math.max(0, Math.round(count)));
}

function atMost(count: bigint, limit: bigint): bigint {
  return count < limit ? count : limit;
}

function perToken(perMillion: string): bigint {
  const price = parseUsd(perMillion);
  if (price === undefined) throw new RangeError(`"${perMillion}" is not a price in US dollars`);
  return price / MILLION;
}
