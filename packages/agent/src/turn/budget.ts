import type { Store } from "@openclaw/store";
import type { RunningTurn } from "../context/turn.js";
import type { ResumeState } from "../journal/resume-state.js";

/** Limits of model use, after which models are not called; 0 means unlimited. */
export interface TokenBudget {
  /** Maximum number of input and output tokens together. */
  readonly maxTokens?: number | undefined;
}

/** The budgets that are checked before every model call (TURN-029). */
export interface TurnBudgets {
  /** Budget of an agent, over all its sessions. */
  readonly agent?: TokenBudget | undefined;
  /** Budget of a session, from one reset to the next. */
  readonly session?: TokenBudget | undefined;
}

/** Dependencies of {@link spentBudget}. */
export interface BudgetDependencies {
  readonly store: Store;
  /** Budgets of models; no limit when absent. */
  readonly budgets?: TurnBudgets | undefined;
  readonly resumeState: Pick<ResumeState, "isExhausted">;
}

/** A budget that is used up. */
export interface SpentBudget {
  readonly whose: "agent" | "session";
  readonly used: number;
  readonly maxTokens: number;
}

/**
 * Returns a budget that is used up by the model usage of all turns so far.
 * @param turn - the turn that would call a model
 * @returns the session's budget first; undefined when none is used up
 */
export async function spentBudget({
  request,
  dependencies,
}: RunningTurn<BudgetDependencies>): Promise<SpentBudget | undefined> {
  const { budgets = {}, store, resumeState } = dependencies;
  // The next step is recorded, so its tokens were already counted.
  if (!resumeState.isExhausted) return undefined;
  const { agentId, sessionId } = request;
  const limits = [
    { whose: "session", scope: { sessionId }, maxTokens: budgets.session?.maxTokens ?? 0 },
    { whose: "agent", scope: { agentId }, maxTokens: budgets.agent?.maxTokens ?? 0 },
  ] as const;
  for (const { whose, scope, maxTokens } of limits) {
    if (maxTokens === 0) continue;
    const used = await store.sessions.tokenTotals.of(scope);
    if (used >= maxTokens) return { whose, used, maxTokens };
  }
  return undefined;
}

/**
 * Returns the notice for the user when a budget ends a turn.
 * @param spent - the budget
 */
export function budgetNotice({ whose, used, maxTokens }: SpentBudget): string {
  const key = whose === "agent" ? "agents.defaults.budget.maxTokens" : "session.budget.maxTokens";
  return `I stopped because the token budget of this ${whose} is used up: ${used} of ${maxTokens} tokens. Raise ${key}, or set it to 0 for no limit.`;
}
