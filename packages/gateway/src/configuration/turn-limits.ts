import {
  type ContextLimits,
  DEFAULT_CONTEXT_LIMITS,
  DEFAULT_SUBAGENT_LIMITS,
  type SubagentLimits,
  type TurnBudgets,
} from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { numberFromEnvironment } from "./environment.js";
import type { OpenClawConfiguration } from "./schema.js";

const DEFAULT_ITERATIONS = 50;

/** Limits of a turn. */
export interface TurnLimits {
  /** Maximum number of model calls in one turn. */
  readonly maxIterations: number;
  readonly budgets: TurnBudgets;
  readonly contextLimits: ContextLimits;
}

/**
 * Reads the limits of turns: the variable `AGENT_MAX_TOOL_ITERATIONS`, else `agents.defaults.maxIterations`,
 * else 50 (TURN-030); and the budgets (TURN-029).
 * @param configuration - configuration of the host
 * @param environment - environment variables of the host
 * @param logger - receives a warning about a limit that is not enforced yet
 * @throws ConfigurationError when the variable is not a whole number from 1 to 1000
 */
export function turnLimits(
  { agents, session }: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
  logger: Logger,
): TurnLimits {
  const { maxIterations, budget: agent } = agents?.defaults ?? {};
  const limits = { agent, session: session?.budget };
  for (const [whose, limit] of Object.entries(limits)) {
    if ((limit?.maxCostUsd ?? 0) === 0) continue;
    const key = whose === "agent" ? "agents.defaults.budget" : "session.budget";
    logger.warn(
      `${key}.maxCostUsd has no effect yet, because costs are not counted; set ${key}.maxTokens to limit the use of models`,
      { code: "BUDGET_COST_NOT_COUNTED" },
    );
  }
  const { contextTokens, compactionThreshold } = agents?.defaults ?? {};
  return {
    contextLimits: {
      tokens: contextTokens ?? DEFAULT_CONTEXT_LIMITS.tokens,
      threshold: compactionThreshold ?? DEFAULT_CONTEXT_LIMITS.threshold,
    },
    maxIterations:
      numberFromEnvironment("agents.defaults.maxIterations", environment) ??
      maxIterations ??
      DEFAULT_ITERATIONS,
    budgets: defined({
      agent: agent?.maxTokens === undefined ? undefined : { maxTokens: agent.maxTokens },
      session:
        limits.session?.maxTokens === undefined
          ? undefined
          : { maxTokens: limits.session.maxTokens },
    }),
  };
}

/**
 * Reads the limits of subagents, `agents.defaults.subagents` (TURN-052).
 * @param configuration - configuration of the host
 */
export function subagentLimits({ agents }: OpenClawConfiguration): SubagentLimits {
  return { ...DEFAULT_SUBAGENT_LIMITS, ...agents?.defaults?.subagents };
}
