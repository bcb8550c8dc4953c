/** Parameters of a property of fast-check. */
interface GeneratedCases {
  readonly numRuns: number;
  readonly seed?: number;
}

/**
 * Returns how many cases a property generates. `pnpm release-checks` sets `OPENCLAW_TEST_CASES` and
 * `OPENCLAW_TEST_SEED` to run more cases, and others, than a change does.
 *
 * @param usual - number of cases in every other run
 * @param seed - makes every other run generate the same cases
 * @throws when a variable is not a whole number
 */
export function generatedCases(usual: number, seed?: number): GeneratedCases {
  const numRuns = wholeNumber("OPENCLAW_TEST_CASES");
  if (numRuns === undefined) return { numRuns: usual, ...(seed !== undefined && { seed }) };
  return { numRuns, seed: wholeNumber("OPENCLAW_TEST_SEED") ?? Date.now() % 2 ** 31 };
}

/** Returns whether the run is part of a release check, which may take hours. */
export function isReleaseCheck(): boolean {
  return wholeNumber("OPENCLAW_TEST_CASES") !== undefined;
}

/** Returns the timeout of a test whose cases are generated, in milliseconds. */
export function generatedTimeout(usual: number): number {
  const day = 24 * 3_600_000;
  return isReleaseCheck() ? day : usual;
}

function wholeNumber(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, got "${text}"`);
  return Number(text);
}
