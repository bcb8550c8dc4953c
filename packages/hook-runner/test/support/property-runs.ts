/** A release run tries far more, and new cases every time. */
export const RELEASE = process.env.OPENCLAW_TEST_RELEASE === "1";

/** Parameters of a property: the same cases every time, save in a release run. */
export function runs(normally: number): { readonly numRuns: number; readonly seed?: number } {
  return RELEASE ? { numRuns: normally * 100 } : { numRuns: normally, seed: 20_261_122 };
}
