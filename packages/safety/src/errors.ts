import { OpenClawError } from "@openclaw/foundation/errors";

/** One problem of a configuration of rules. */
export interface SafetyRuleProblem {
  /** Path of the invalid value, for example `added[0].pattern`. */
  readonly path: string;
  /** Description of the problem, and the value to write instead. */
  readonly message: string;
}

/**
 * A configuration of rules is invalid, so none of it is in force; `problems` lists every problem.
 */
export class SafetyRulesError extends OpenClawError {
  static override readonly code = "SAFETY_RULES_INVALID";
  static override readonly kind = "configuration";
  readonly problems: readonly SafetyRuleProblem[];

  /** @param problems - problems, at least one */
  constructor(problems: readonly SafetyRuleProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(
      [
        `the safety rules have ${count} and were not loaded; fix them and load them again`,
        ...problems.map(({ path, message }) => `  ${path}: ${message}`),
      ].join("\n"),
    );
    this.problems = problems;
  }
}
