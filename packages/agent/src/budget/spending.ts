import { displayUsd, parseUsd, usdText } from "@openclaw/foundation";
import { costOf, ModelTable, type PricedModel } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Usage, UsageCost } from "@openclaw/plugin-sdk/tools";
import type { SpendingCall, SpentAmount, SpentLimit, Store } from "@openclaw/store";
import { ModelBudgetError } from "../errors.js";
import type { BudgetWarnings } from "./budget-warnings.js";
import {
  type BudgetLimit,
  budgetCalendar,
  budgetLimits,
  limitsSpending,
  resetTime,
  type TurnBudgets,
} from "./limits.js";

/** Time after which the reservation of a stopped process expires; longer than a model call takes. */
const RESERVATION_MS = 15 * 60 * 1000;

/** Tokens of a reply that are reserved when neither the request nor the table has a smaller maximum. */
const USUAL_REPLY_TOKENS = 4096;

/** Share of a limit from which a warning is logged. */
const WARNING_PERCENT = 80n;

const TABLE = new ModelTable();

/** Dependencies of the functions that count what models cost. */
export interface SpendingDependencies {
  readonly store: Store;
  readonly logger: Logger;
  /** Budgets of models; no limit when absent. */
  readonly budgets?: TurnBudgets | undefined;
  /** Prices of models; the committed table when absent. */
  readonly modelTable?: ModelTable | undefined;
  /** Warnings that were logged; each call may log them when absent. */
  readonly budgetWarnings?: BudgetWarnings | undefined;
}

/** Estimated size of a call. */
export interface CallSize {
  /** Tokens of the request. */
  readonly input: number;
  /** Maximum number of tokens of the reply, when the request limits it. */
  readonly maxOutput?: number | undefined;
}

/**
 * Reserves the estimated cost of a call in the store, if cost or number of calls is limited (LLM-031).
 * @param dependencies - store, budgets, prices and log
 * @param call - the call that is about to be made
 * @param model - model that is called
 * @param size - estimated size of the call
 * @returns true if a reservation was made, which has to be replaced or released
 * @throws ModelBudgetError when the call does not fit into a budget
 */
export async function reserveSpending(
  dependencies: SpendingDependencies,
  call: SpendingCall,
  model: PricedModel,
  size: CallSize,
): Promise<boolean> {
  const { store, budgets = {}, modelTable = TABLE } = dependencies;
  if (!limitsSpending(budgets)) return false;
  const estimate = estimatedCost(modelTable, model, size);
  let limits: readonly BudgetLimit[] = [];
  const reserved = await store.transaction((unit) =>
    unit.spending.reserve(call, {
      estimate,
      expiresInMs: RESERVATION_MS,
      limits(now) {
        limits = budgetLimits(budgets, call, now);
        return limits.map(({ limit }) => limit);
      },
    }),
  );
  const states = reserved.limits.flatMap((spent, index) => {
    const limit = limits[index];
    return limit === undefined ? [] : [{ limit, spent }];
  });
  const exceeded = states.find(({ spent }) => spent === reserved.exceeded);
  if (exceeded !== undefined) {
    throw new ModelBudgetError(exceededText(exceeded, estimate, budgets));
  }
  for (const state of states) warn(state, estimate, dependencies);
  return true;
}

/**
 * Returns what a call cost. Without a reported number of tokens, the cost of its estimated size counts.
 * @param dependencies - prices
 * @param model - model that replied
 * @param usage - tokens that the provider reported
 * @param size - returns the estimated tokens of request and reply
 */
export function spentOn(
  { modelTable = TABLE }: Pick<SpendingDependencies, "modelTable">,
  model: PricedModel,
  usage: Usage,
  size: () => { readonly input: number; readonly output: number },
): SpentAmount {
  const { price, isEstimated } = modelTable.priceOf(model);
  const isReported = usage.input !== undefined && usage.output !== undefined;
  const cost = costOf(isReported ? usage : { ...size(), ...usage }, price);
  return { usage, cost, isEstimated: cost > 0n && (isEstimated || !isReported) };
}

/**
 * Returns the usage of a call with its cost.
 * @param spent - tokens and cost
 */
export function usageWithCost({ usage, cost, isEstimated }: SpentAmount): Usage {
  return { ...usage, cost: { usd: usdText(cost), estimated: isEstimated } };
}

/**
 * Adds the cost of a call to that of others.
 * @param total - cost of the others; absent for the first
 * @param cost - cost of the call
 */
export function addedCost(total: UsageCost | undefined, cost: UsageCost): UsageCost {
  const sum = (parseUsd(total?.usd ?? "0") ?? 0n) + (parseUsd(cost.usd) ?? 0n);
  return { usd: usdText(sum), estimated: cost.estimated || total?.estimated === true };
}

function estimatedCost(table: ModelTable, model: PricedModel, size: CallSize): bigint {
  const known = table.find(model.provider, model.modelId)?.maxOutputTokens;
  const output = Math.min(size.maxOutput ?? USUAL_REPLY_TOKENS, known ?? Number.POSITIVE_INFINITY);
  return costOf({ input: size.input, output }, table.priceOf(model).price);
}

interface LimitState {
  readonly limit: BudgetLimit;
  readonly spent: SpentLimit;
}

function exceededText(
  { limit, spent }: LimitState,
  estimate: bigint,
  budgets: TurnBudgets,
): string {
  const resetsAt = resetTime(limit, "freedBy" in spent ? spent.freedBy : undefined);
  const again = resetsAt === undefined ? "" : budgetCalendar(budgets).show(resetsAt);
  const raise = `${again === "" ? "Raise" : "Or raise"} ${limit.setting}, or set it to 0 for no limit.`;
  if (spent.limit.unit === "calls") {
    const { maximum } = spent.limit;
    return `the limit of ${maximum} model ${maximum === 1 ? "call" : "calls"} in ${limit.subject} is reached. The next call is possible at ${again}. ${raise}`;
  }
  const used = BigInt(spent.used);
  const amounts = `${displayUsd(used)} of ${displayUsd(spent.limit.maximum)} are used or reserved`;
  const problem =
    used >= spent.limit.maximum
      ? `the model budget of ${limit.subject} is used up: ${amounts}`
      : `the model budget of ${limit.subject} is too small for the next call: ${amounts}, and the call may cost ${displayUsd(estimate)}`;
  return `${problem}. ${again === "" ? "" : `It starts again at ${again}. `}${raise}`;
}

function warn(
  { limit, spent }: LimitState,
  estimate: bigint,
  { logger, budgetWarnings, budgets = {} }: SpendingDependencies,
): void {
  const isCost = spent.limit.unit === "cost";
  const used = isCost ? BigInt(spent.used) + estimate : BigInt(spent.used) + 1n;
  const maximum = BigInt(spent.limit.maximum);
  if (used * 100n < maximum * WARNING_PERCENT) return;
  if (budgetWarnings?.isNew(limit) === false) return;
  const shown = isCost
    ? `${displayUsd(used)} of ${displayUsd(maximum)}`
    : `${used} of ${maximum} calls`;
  const { resetsAt, setting, subject } = limit;
  const end =
    resetsAt === undefined ? "" : `; it starts again at ${budgetCalendar(budgets).show(resetsAt)}`;
  logger.warn(
    `more than ${WARNING_PERCENT}% of the model budget of ${subject} are used or reserved: ${shown}${end}. Models are not called beyond it; raise ${setting} to continue`,
    { code: "BUDGET_NEARLY_USED" },
  );
}

/**
 * Adds the tokens and the cost of a model call.
 * @param total - sum so far
 * @param usage - usage of the call
 */
export function addUsage(total: Usage, usage: Usage): void {
  for (const key of ["input", "output", "cacheRead", "cacheWrite", "reasoning", "total"] as const) {
    const tokens = usage[key];
    if (tokens !== undefined) total[key] = (total[key] ?? 0) + tokens;
  }
  if (usage.cost !== undefined) total.cost = addedCost(total.cost, usage.cost);
}
