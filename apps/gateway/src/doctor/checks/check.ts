/** Result of one check. */
export interface CheckResult {
  /** Name of the check, stable for scripts. */
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  /** Way to fix the problem. */
  readonly hint?: string | undefined;
  /** Change that fixes the problem and can be undone; absent when a person has to decide. */
  readonly repair?: Repair | undefined;
}

/** Change that `doctor --fix` makes. */
export interface Repair {
  /** Description of the change, for example `chmod 600 <file>`. */
  readonly description: string;
  /** Makes the change. */
  apply(): void;
}

/**
 * Returns a check that found no problem.
 * @param name - name of the check
 * @param message - description of the checked part
 */
export function passed(name: string, message: string): CheckResult {
  return { name, status: "ok", message };
}
