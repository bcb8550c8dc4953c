import { randomUUID } from "node:crypto";
import type { PricedModel } from "@openclaw/models";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import type { BudgetedCall } from "./limits.js";
import {
  type CallSize,
  reserveSpending,
  type SpendingDependencies,
  spentOn,
  usageWithCost,
} from "./spending.js";
import { requireTokens } from "./token-budget.js";

/** A call of a model that no turn makes. */
export interface SingleCall {
  /** Agent for which the call counts. */
  readonly caller: BudgetedCall;
  readonly model: PricedModel;
  /** Estimated size of the call. */
  readonly size: CallSize;
}

/**
 * Makes a call of a model outside turns, for example of a plugin, within the budgets (LLM-031).
 * @param dependencies - store, budgets, prices and log
 * @param single - caller, model and size
 * @param work - calls the model
 * @returns result of the work, whose usage has the cost of the call
 * @throws ModelBudgetError when the call does not fit into a budget
 * @throws the error of the work
 */
export async function makeSingleCall<Result extends { readonly usage: Usage }>(
  dependencies: SpendingDependencies,
  { caller, model, size }: SingleCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const { provider, modelId } = model;
  const call = { ...caller, callId: randomUUID(), provider, model: modelId };
  await requireTokens(dependencies, caller);
  await reserveSpending(dependencies, call, model, size);
  const { spending } = dependencies.store;
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await spending.release(call.callId);
    throw error;
  }
  const sizeOfCall = () => ({ input: size.input, output: size.maxOutput ?? 0 });
  const spent = spentOn(dependencies, model, result.usage, sizeOfCall);
  await spending.record(call, spent);
  return { ...result, usage: usageWithCost(spent) };
}
