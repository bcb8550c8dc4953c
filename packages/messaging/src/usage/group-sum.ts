import type { SpendingSum } from "@openclaw/store";

/** Sum of calls of models. */
export type UsageSum = Omit<SpendingSum, "key" | "quarter" | "cacheWrite">;

/** Sum of a group, and the sums of its days or months. */
export interface GroupSum {
  readonly whole: UsageSum;
  readonly periods: Map<string, UsageSum>;
}

/** Returns the day or month of a time. */
export type PeriodOf = (at: number) => string;

/** No call. */
export const NOTHING: UsageSum = {
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cost: 0n,
  estimatedCalls: 0,
};

/**
 * Adds a sum to its group, and to its day or month.
 * @param groups - sums by key
 * @param key - key of the group
 * @param period - day or month
 */
export function addTo(
  groups: Map<string, GroupSum>,
  key: string,
  sum: UsageSum,
  period: string | undefined,
): void {
  const { whole = NOTHING, periods = new Map<string, UsageSum>() } = groups.get(key) ?? {};
  if (period !== undefined) periods.set(period, added(periods.get(period) ?? NOTHING, sum));
  groups.set(key, { whole: added(whole, sum), periods });
}

/**
 * Adds two sums.
 * @param sum - other sum
 */
export function added(before: UsageSum, sum: UsageSum): UsageSum {
  return {
    calls: before.calls + sum.calls,
    input: before.input + sum.input,
    output: before.output + sum.output,
    cacheRead: before.cacheRead + sum.cacheRead,
    cost: before.cost + sum.cost,
    estimatedCalls: before.estimatedCalls + sum.estimatedCalls,
  };
}
