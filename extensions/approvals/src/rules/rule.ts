import type { CommandPrefix } from "./prefix.js";

/** Rule of the operator about commands that start with the same words (APPR-040). */
export interface CommandRule {
  /** First words of a command. */
  readonly prefix: CommandPrefix;
  /**
   * Decision about such a command. Of several rules that match, `deny` wins over `ask`, and `ask`
   * over `allow`.
   */
  readonly decision: RuleDecision;
  /**
   * Commands that the rule must match, each of plain words; checked when the configuration is
   * loaded.
   */
  readonly match: readonly string[];
  /** Commands that the rule must not match. */
  readonly notMatch?: readonly string[];
  /**
   * Folder, relative to the workspace, to which the rule is limited, including folders below it.
   */
  readonly cwd?: string;
  /** ID of the agent to which the rule is limited. */
  readonly agentId?: string;
  /** `workspace` runs the commands in a sandbox that can write only the workspace; otherwise they do not run. */
  readonly sandbox?: "workspace";
  /** Reason that is shown with the decision. */
  readonly note: string;
}

/** Decision of a rule: the command runs, needs approval each time, or does not run. */
export type RuleDecision = "allow" | "ask" | "deny";

/** Rule with its position in the configuration. */
export interface NumberedRule extends CommandRule {
  readonly index: number;
}

/**
 * Returns the name of a rule for display.
 * @param rule - rule with its position
 */
export function ruleName({ index }: Pick<NumberedRule, "index">): string {
  return `rules[${index}]`;
}
