import { startOfText } from "@openclaw/foundation";
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

/** A regular expression that someone wrote is not in RE2 syntax, or is too long. */
export class LinearPatternError extends OpenClawError {
  static override readonly code = "PATTERN_INVALID";
  static override readonly kind = "invalid";
  readonly pattern: string;
  /** Description of the problem, without the pattern. */
  readonly problem: string;
  /** Offset of the mistake in the pattern, where it is known. */
  readonly position: number | undefined;

  /**
   * @param pattern - pattern as written
   * @param problem - description of the problem
   * @param options - `position` is the offset of the mistake, `cause` the underlying error
   */
  constructor(
    pattern: string,
    problem: string,
    { position, cause }: { position?: number | undefined; cause?: unknown } = {},
  ) {
    const shown = pattern.length > 100 ? `${startOfText(pattern, 100)}…` : pattern;
    const place = position === undefined ? "" : ` at character ${position + 1}`;
    super(
      `the pattern ${JSON.stringify(shown)} cannot be used: ${problem}${place}. Write it in RE2 syntax, without back-references and look-around.`,
      { cause },
    );
    this.pattern = pattern;
    this.problem = problem;
    this.position = position;
  }
}
