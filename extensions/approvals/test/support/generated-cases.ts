const DAY_MS = 24 * 3_600_000;
const {
  OPENCLAW_TEST_CASES: CASES,
  OPENCLAW_TEST_SEED: SEED,
  OPENCLAW_FUZZ_MS = "0",
} = process.env;

/** Milliseconds for which generated commands are tried; 0 for a fixed number of commands, the same every time. */
const FUZZ_MS = Number(OPENCLAW_FUZZ_MS);

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

/**
 * Returns how many commands are tried: a fixed number, or as many as fit into `OPENCLAW_FUZZ_MS`.
 * @param usual - the fixed number
 */
export function fuzzedCases(usual: number) {
  return FUZZ_MS === 0
    ? { numRuns: usual, seed: 20_261_122 }
    : {
        numRuns: 10_000_000,
        interruptAfterTimeLimit: FUZZ_MS,
        ...(SEED !== undefined && { seed: Number(SEED) }),
      };
}

/** Returns the timeout of a test whose cases are generated, in milliseconds. */
export function generatedTimeout(usual: number): number {
  return CASES === undefined ? usual + FUZZ_MS : DAY_MS;
}
