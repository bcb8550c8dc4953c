import { OpenClawError } from "@openclaw/foundation/errors";

/** One thing that is wrong with a configuration of rules. */
export interface SafetyRuleProblem {
  /** Where it stands, for example `added[0].pattern`. */
  readonly path: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** A configuration of rules is invalid and none of it is in force; `problems` holds all that is wrong. */
export class SafetyRulesError extends OpenClawError {
  static override readonly code = "SAFETY_RULES_INVALID";
  static override readonly kind = "configuration";
  readonly problems: readonly SafetyRuleProblem[];

  /** @param problems - at least one */
  constructor(problems: readonly SafetyRuleProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(
      [
        `the safety rules have ${count} and were not loaded; correct them and load them again`,
        ...problems.map(({ path, message }) => `  ${path}: ${message}`),
      ].join("\n"),
    );
    this.problems = problems;
  }
}
