import { LISTED_PROGRAMS } from "./reading/reading-program.js";
import type { CommandRule, NumberedRule } from "./rules/rule.js";

/** How much may run without a person: nothing at all, what the lists name, or all but what must be asked. */
export type Security = "deny" | "allowlist" | "full";
/** When a person is asked: never, when no list names the command, or for every command. */
export type Ask = "off" | "on-miss" | "always";
/** What a question that nobody answers in time means: no, or yes where a list names the command. */
export type AskFallback = "deny" | "allowlist";

/** What can be set for every agent and for one. */
export interface AgentRules {
  readonly security?: Security;
  readonly ask?: Ask;
  readonly askFallback?: AskFallback;
}

/** The extension's configuration. */
export interface ApprovalsConfig extends AgentRules {
  /** What the operator says of commands; the strictest rule that matches counts. */
  readonly rules?: readonly CommandRule[];
  /** Names of programs that may run as long as they only read the workspace. */
  readonly safeBins?: readonly string[];
  /** By agent id; of this and what holds for every agent the stricter counts. */
  readonly agents?: Readonly<Record<string, AgentRules>>;
}

/** What holds for one agent. */
export interface EffectiveRules extends Required<AgentRules> {
  readonly rules: readonly NumberedRule[];
  readonly safeBins: ReadonlySet<string>;
}

// Strictest first.
const SECURITY: readonly Security[] = ["deny", "allowlist", "full"];
const ASK: readonly Ask[] = ["always", "on-miss", "off"];
const ASK_FALLBACK: readonly AskFallback[] = ["deny", "allowlist"];

/**
 * What holds for an agent: of the general settings and its own the stricter (APPR-037).
 * @param config - the extension's configuration
 * @param agentId - undefined where no agent is known
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
