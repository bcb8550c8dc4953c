/** Scopes of a gateway, from the narrowest to the widest (GW-014). */
export const METHOD_SCOPES = [
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.admin",
] as const;

/** Right that a caller needs for a method or an event. `operator.admin` includes every other scope. */
export type MethodScope = (typeof METHOD_SCOPES)[number];

/**
 * Returns true when a set of scopes includes a scope.
 * @param granted - scopes of a caller; `operator.admin` includes every other
 * @param needed - scope of a method or an event
 */
export function includesScope(granted: readonly MethodScope[], needed: MethodScope): boolean {
  return granted.includes(needed) || granted.includes("operator.admin");
}
