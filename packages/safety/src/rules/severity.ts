/** Severity of a finding, from a remark to a certain attack. */
export type Severity = "low" | "medium" | "high" | "critical";

export const SEVERITIES: readonly Severity[] = ["low", "medium", "high", "critical"];

/**
 * Returns whether a severity reaches a minimum.
 * @param severity - severity of a finding
 * @param floor - minimum severity
 */
export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);
}
