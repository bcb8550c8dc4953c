import { formatProblem, type PolicyProblem } from "./layers/problem.js";

const CONFIG_BRAND = Symbol.for("openclaw.PolicyConfigError");
const SNAPSHOT_BRAND = Symbol.for("openclaw.PolicySnapshotError");
const CASES_BRAND = Symbol.for("openclaw.PolicyCasesError");

function hasBrand(value: unknown, brand: symbol): boolean {
  return typeof value === "object" && value !== null && brand in value;
}

/** A policy could not be compiled; `problems` holds everything that is wrong with it (POL-037). */
export class PolicyConfigError extends Error {
  static readonly code = "POLICY_CONFIG_INVALID";
  readonly code = PolicyConfigError.code;
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
    this.name = "PolicyConfigError";
    this.problems = problems;
    Object.defineProperty(this, CONFIG_BRAND, { value: true });
  }

  /**
   * Whether a value is this error, whichever copy of the package made it.
   * @param value - anything that was thrown
   */
  static isInstance(value: unknown): value is PolicyConfigError {
    return hasBrand(value, CONFIG_BRAND);
  }
}

/** A file of policy cases has the wrong shape; `faults` holds everything that is wrong with it. */
export class PolicyCasesError extends Error {
  static readonly code = "POLICY_CASES_INVALID";
  readonly code = PolicyCasesError.code;
  readonly faults: readonly string[];

  /** @param faults - one line each, at least one */
  constructor(faults: readonly string[]) {
    super(
      [
        "the file of policy cases cannot be read; expected {cases: [{name, tool, context, expect, by?}]}",
        ...faults.map((fault) => `  ${fault}`),
      ].join("\n"),
    );
    this.name = "PolicyCasesError";
    this.faults = faults;
    Object.defineProperty(this, CASES_BRAND, { value: true });
  }

  /**
   * Whether a value is this error, whichever copy of the package made it.
   * @param value - anything that was thrown
   */
  static isInstance(value: unknown): value is PolicyCasesError {
    return hasBrand(value, CASES_BRAND);
  }
}

/** A policy that was written down earlier cannot be compiled again. */
export class PolicySnapshotError extends Error {
  static readonly code = "POLICY_SNAPSHOT_UNREADABLE";
  readonly code = PolicySnapshotError.code;

  /** @param problem - what is wrong with it */
  constructor(problem: string) {
    super(
      `a recorded policy cannot be compiled again: ${problem}; read it with the version of the product that recorded it`,
    );
    this.name = "PolicySnapshotError";
    Object.defineProperty(this, SNAPSHOT_BRAND, { value: true });
  }

  /**
   * Whether a value is this error, whichever copy of the package made it.
   * @param value - anything that was thrown
   */
  static isInstance(value: unknown): value is PolicySnapshotError {
    return hasBrand(value, SNAPSHOT_BRAND);
  }
}
