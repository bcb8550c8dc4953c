import { LISTED_PROGRAMS } from "./reading/reading-program.js";
import type { CommandRule, NumberedRule } from "./rules/rule.js";

/**
 * Commands that may run without approval: none, those on the lists, or all literal ones that are
 * neither destructive nor doubtful.
 */
export type Security = "deny" | "allowlist" | "full";
/** Commands that need approval: none, those on no list, or every command. */
export type Ask = "off" | "on-miss" | "always";
/** Outcome when an approval request expires: deny, or allow where all programs are on a list. */
export type AskFallback = "deny" | "allowlist";

/** Settings that apply to every agent or to one. */
export interface AgentRules {
  readonly security?: Security;
  readonly ask?: Ask;
  readonly askFallback?: AskFallback;
}

/** Configuration of the extension. */
export interface ApprovalsConfig extends AgentRules {
  /** Rules of the operator for commands; the strictest rule that matches counts. */
  readonly rules?: readonly CommandRule[];
  /** Names of programs that may run as long as they only read the workspace. */
  readonly safeBins?: readonly string[];
  /** Settings by agent ID; the stricter of these and the general ones counts. */
  readonly agents?: Readonly<Record<string, AgentRules>>;
}

/** Settings in force for one agent. */
export interface EffectiveRules extends Required<AgentRules> {
  readonly rules: readonly NumberedRule[];
  readonly safeBins: ReadonlySet<string>;
}

// Strictest first.
const SECURITY: readonly Security[] = ["deny", "allowlist", "full"];
const ASK: readonly Ask[] = ["always", "on-miss", "off"];
const ASK_FALLBACK: readonly AskFallback[] = ["deny", "allowlist"];

/**
 * Returns the settings in force for an agent: the stricter of the general ones and its own
 * (APPR-037).
 * @param config - configuration of the extension
 * @param agentId - undefined when no agent is known
 */
export function effectiveRules(config: ApprovalsConfig, agentId?: string): EffectiveRules {
  const { agents = {}, rules = [], safeBins = LISTED_PROGRAMS } = config;
  const own = agentId !== undefined && Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
  return {
    security: stricter(SECURITY, config.security ?? "allowlist", own?.security),
    ask: stricter(ASK, config.ask ?? "on-miss", own?.ask),
    askFallback: stricter(ASK_FALLBACK, config.askFallback ?? "deny", own?.askFallback),
    rules: rules
      .map((rule, index) => ({ ...rule, index }))
      .filter((rule) => rule.agentId === undefined || rule.agentId === agentId),
    safeBins: new Set(safeBins),
  };
}

function stricter<Value>(order: readonly Value[], general: Value, own: Value = general): Value {
  return order.indexOf(own) < order.indexOf(general) ? own : general;
}
