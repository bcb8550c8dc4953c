import type { DoctorFinding } from "@openclaw/gateway";

/** Result of one check. */
export type CheckResult = DoctorFinding;

/**
 * Returns a check that found no problem.
 * @param name - name of the check
 * @param message - description of the checked part
 */
export function passed(name: string, message: string): CheckResult {
  return { name, status: "ok", message };
}
