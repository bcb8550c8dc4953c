import type { Store } from "@openclaw/store";
import { ModelBudgetError } from "../errors.js";
import type { BudgetedCall, TurnBudgets } from "./limits.js";

/** Dependencies of {@link requireTokens}. */
export interface TokenBudgetDependencies {
  readonly store: Store;
  /** Budgets of models; no limit when absent. */
  readonly budgets?: TurnBudgets | undefined;
}

/**
 * Checks that the model usage of all turns so far has left tokens for another call.
 * @param dependencies - store and budgets
 * @param call - agent, session and job of the turn that would call a model
 * @throws ModelBudgetError when the budget of the session, the agent or the job is used up
 */
export async function requireTokens(
  { budgets = {}, store }: TokenBudgetDependencies,
  { agentId, sessionId, jobId }: BudgetedCall,
): Promise<void> {
  const limits = [
    {
      whose: "session",
      scope: sessionId === undefined ? undefined : { sessionId },
      maxTokens: budgets.session?.maxTokens ?? 0,
      setting: "session.budget.maxTokens",
    },
    {
      whose: "agent",
      scope: { agentId },
      maxTokens: budgets.agent?.maxTokens ?? 0,
      setting: "agents.defaults.budget.maxTokens",
    },
    {
      whose: "job",
      scope: jobId === undefined ? undefined : { jobId },
      maxTokens: budgets.job?.maxTokens ?? 0,
      setting: "the budget of the job",
    },
  ] as const;
  for (const { whose, scope, maxTokens, setting } of limits) {
    if (maxTokens === 0 || scope === undefined) continue;
    const used = await store.sessions.tokenTotals.of(scope);
    if (used < maxTokens) continue;
    throw new ModelBudgetError(
      `the token budget of this ${whose} is used up: ${used} of ${maxTokens} tokens. Raise ${setting}, or set it to 0 for no limit.`,
    );
  }
}
