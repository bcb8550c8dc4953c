import type { RateLimits } from "../rate-limits.js";
import { GraphError, pairLimited } from "./refusal.js";

// "Pair rate limits" and "Throughput" of https://developers.facebook.com/documentation/business-messaging/whatsapp/about-the-platform

/** Time that each message to one person needs, in milliseconds. */
const PAIR_MS = 6000;
/** Messages to one person within that time, which borrow from later ones. */
const PAIR_BURST = 45;
/** Messages of a number in a second. */
const MOST_A_SECOND = 80;

/**
 * Counts a message.
 * @param rates - messages of the business
 * @param to - number of the person
 * @throws GraphError for one that is too early
 */
export function checkRate(rates: RateLimits, to: string): void {
  const pair = rates.take({ key: to, everyMs: PAIR_MS, burst: PAIR_BURST });
  if (pair > 0) throw pairLimited();
  if (rates.take({ key: "all", count: MOST_A_SECOND, ms: 1000 }) > 0) {
    throw new GraphError("(#130429) Rate limit hit", { status: 429, code: 130429 });
  }
}
