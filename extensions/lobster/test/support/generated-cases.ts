const DAY_MS = 24 * 3_600_000;
const { OPENCLAW_TEST_CASES: CASES, OPENCLAW_TEST_SEED: SEED } = process.env;

/**
 * Returns how many cases a property generates: few, or as many as `pnpm release-checks` demands, with its seed.
 * @param usual - number of cases in every other run
 */
export function generatedCases(usual: number): {
  readonly numRuns: number;
  readonly seed?: number;
} {
  return CASES === undefined ? { numRuns: usual } : { numRuns: Number(CASES), seed: Number(SEED) };
}

/** Timeout in milliseconds of a test whose cases are generated. */
export const GENERATED_TIMEOUT_MS = CASES === undefined ? 30_000 : DAY_MS;
