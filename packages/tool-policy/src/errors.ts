import { OpenClawError } from "@openclaw/foundation/errors";
import { formatProblem, type PolicyProblem } from "./layers/problem.js";

/** A policy could not be compiled; `problems` contains all problems (POL-037). */
export class PolicyConfigError extends OpenClawError {
  static override readonly code = "POLICY_CONFIG_INVALID";
  static override readonly kind = "configuration";
  readonly problems: readonly PolicyProblem[];

  /** @param problems - at least one */
  constructor(problems: readonly PolicyProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(
      [
        `the tool policy has ${count} and was not compiled; correct the configuration and load it again`,
        ...problems.map((problem) => `  ${formatProblem(problem)}`),
      ].join("\n"),
    );
    this.problems = problems;
  }
}

/** A file of policy cases has the wrong shape; `faults` contains all problems. */
export class PolicyCasesError extends OpenClawError {
  static override readonly code = "POLICY_CASES_INVALID";
  static override readonly kind = "invalid";
  readonly faults: readonly string[];

  /** @param faults - one line each, at least one */
  constructor(faults: readonly string[]) {
    super(
      [
        "the file of policy cases cannot be read; expected {cases: [{name, tool, context, expect, by?}]}",
        ...faults.map((fault) => `  ${fault}`),
      ].join("\n"),
    );
    this.faults = faults;
  }
}

/** A policy snapshot cannot be compiled again. */
export class PolicySnapshotError extends OpenClawError {
  static override readonly code = "POLICY_SNAPSHOT_UNREADABLE";
  static override readonly kind = "conflict";

  /** @param problem - description of the problem */
  constructor(problem: string) {
    super(
      `a recorded policy cannot be compiled again: ${problem}; read it with the version of the product that recorded it`,
    );
  }
}
