import { displayUsd } from "@openclaw/foundation";
import type { SpentLimit, Store } from "@openclaw/store";
import {
  type BudgetedCall,
  type BudgetLimit,
  budgetCalendar,
  budgetLimits,
  resetTime,
  type TurnBudgets,
} from "./limits.js";

/** A limit of what models may cost, and how much of it is used. */
export interface BudgetState extends BudgetLimit {
  readonly spent: SpentLimit;
  /** The time at which it counts from 0 again, in the time zone of the budgets; absent when it does not by itself. */
  readonly resets?: string | undefined;
}

/**
 * Returns the limits of cost and number of calls that apply to a call, with what is used or reserved of them.
 * @param budgets - budgets of the host
 * @param call - agent, session and job
 * @param store - calls of models
 */
export async function budgetStates(
  budgets: TurnBudgets,
  call: BudgetedCall,
  store: Pick<Store, "spending">,
): Promise<readonly BudgetState[]> {
  let limits: readonly BudgetLimit[] = [];
  const spent = await store.spending.spent((now) => {
    limits = budgetLimits(budgets, call, now);
    return limits.map(({ limit }) => limit);
  });
  return limits.flatMap((limit, index) => {
    const found = spent[index];
    if (found === undefined) return [];
    const resetsAt = resetTime(limit, "freedBy" in found ? found.freedBy : undefined);
    const resets = resetsAt === undefined ? undefined : budgetCalendar(budgets).show(resetsAt);
    return [{ ...limit, spent: found, resetsAt, resets }];
  });
}

/**
 * Returns the state of a budget as one line, for example `today: $0.40 of $1.00 (40 %), until 2026-11-24 00:00 UTC`.
 * @param state - limit and what is used
 */
export function budgetText({ subject, spent, resets }: BudgetState): string {
  const isCost = spent.limit.unit === "cost";
  const used = BigInt(spent.used);
  const maximum = BigInt(spent.limit.maximum);
  const amounts = isCost
    ? `${displayUsd(used)} of ${displayUsd(maximum)}`
    : `${used} of ${maximum} calls`;
  const end = resets === undefined ? "" : `, until ${resets}`;
  return `${subject}: ${amounts} (${(used * 100n) / maximum} %)${end}`;
}
