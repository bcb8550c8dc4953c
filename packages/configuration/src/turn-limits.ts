import {
  type ContextLimits,
  DEFAULT_CONTEXT_LIMITS,
  DEFAULT_SUBAGENT_LIMITS,
  type SubagentLimits,
  type TurnBudgets,
} from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
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
 * else 50 (TURN-030); and the budgets (TURN-029, LLM-031).
 * @param configuration - configuration of the host
 * @param environment - environment variables of the host
 * @throws ConfigurationError when a variable is not a whole number in its range
 */
export function turnLimits(
  configuration: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
): TurnLimits {
  const { maxIterations, contextTokens, compactionThreshold } =
    configuration.agents?.defaults ?? {};
  return {
    contextLimits: {
      threshold: compactionThreshold ?? DEFAULT_CONTEXT_LIMITS.threshold,
      ...defined({ tokens: contextTokens, ofAgents: contextCaps(configuration) }),
    },
    maxIterations:
      numberFromEnvironment("agents.defaults.maxIterations", environment) ??
      maxIterations ??
      DEFAULT_ITERATIONS,
    budgets: modelBudgets(configuration, environment),
  };
}

/** Returns `agents.<id>.contextTokens` of each agent that has it; undefined when none has. */
function contextCaps({ agents = {} }: OpenClawConfiguration): ContextLimits["ofAgents"] {
  const caps = Object.entries(agents).flatMap(([id, section]): [string, number][] => {
    if (id === "defaults" || typeof section !== "object") return [];
    const own: unknown = "contextTokens" in section ? section.contextTokens : undefined;
    return typeof own === "number" ? [[id, own]] : [];
  });
  return caps.length === 0 ? undefined : Object.fromEntries(caps);
}

/**
 * Reads the budgets of models. The variables `MAX_COST_PER_DAY_CENTS` and `MAX_ACTIONS_PER_HOUR` take precedence
 * over the file.
 * @param configuration - configuration of the host
 * @param environment - environment variables of the host
 * @throws ConfigurationError when a variable is not a whole number
 */
export function modelBudgets(
  { agents, session, models }: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
): TurnBudgets {
  const { maxCostPerDayCents, maxActionsPerHour, ...others } = models?.budget ?? {};
  const host = defined({
    maxCostPerDayCents:
      numberFromEnvironment("models.budget.maxCostPerDayCents", environment) ?? maxCostPerDayCents,
    maxActionsPerHour:
      numberFromEnvironment("models.budget.maxActionsPerHour", environment) ?? maxActionsPerHour,
    ...others,
  });
  return defined({ agent: agents?.defaults?.budget, session: session?.budget, host });
}

/**
 * Reads the limits of subagents, `agents.defaults.subagents` (TURN-052).
 * @param configuration - configuration of the host
 */
export function subagentLimits({ agents }: OpenClawConfiguration): SubagentLimits {
  return { ...DEFAULT_SUBAGENT_LIMITS, ...agents?.defaults?.subagents };
}
