/** How bad a finding is, from a remark to a certain attack. */
export type Severity = "low" | "medium" | "high" | "critical";

export const SEVERITIES: readonly Severity[] = ["low", "medium", "high", "critical"];

/**
 * Whether a severity reaches a floor.
 * @param severity - what was found
 * @param floor - the least severity that counts
 */
export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);
}
