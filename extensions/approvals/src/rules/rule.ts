import type { CommandPrefix } from "./prefix.js";

/** A rule of the operator about commands that start with the same words (APPR-040). */
export interface CommandRule {
  /** The first words of a command. */
  readonly prefix: CommandPrefix;
  /** What becomes of such a command. Of several rules that match, `deny` wins over `ask`, and `ask` over `allow`. */
  readonly decision: RuleDecision;
  /** Commands that the rule has to match, each of plain words; checked when the configuration is loaded. */
  readonly match: readonly string[];
  /** Commands that it must not match. */
  readonly notMatch?: readonly string[];
  /** Only in this folder and those below; relative to the workspace. */
  readonly cwd?: string;
  /** Only for this agent. */
  readonly agentId?: string;
  /** `workspace` runs the commands in a sandbox that can write only the workspace, or not at all. */
  readonly sandbox?: "workspace";
  /** The reason, shown with the decision. */
  readonly note: string;
}

/** What a rule decides: to run, to ask a person each time, or not to run. */
export type RuleDecision = "allow" | "ask" | "deny";

/** A rule with its place in the configuration. */
export interface NumberedRule extends CommandRule {
  readonly index: number;
}

/**
 * Returns how a rule is named to people.
 * @param rule - with its place
 */
export function ruleName({ index }: Pick<NumberedRule, "index">): string {
  return `rules[${index}]`;
}
