import { afterEach, describe, expect, it, vi } from "vitest";
import { generatedCases, generatedTimeout, isReleaseCheck } from "../src/testing/index.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("generatedCases", () => {
  it("is the usual number, with the seed that is given", () => {
    vi.stubEnv("OPENCLAW_TEST_CASES", undefined);
    expect(generatedCases(300)).toEqual({ numRuns: 300 });
    expect(generatedCases(300, 7)).toEqual({ numRuns: 300, seed: 7 });
    expect(isReleaseCheck()).toBe(false);
    expect(generatedTimeout(30_000)).toBe(30_000);
  });

  it("is the number and seed of a release check", () => {
    vi.stubEnv("OPENCLAW_TEST_CASES", "1000000");
    vi.stubEnv("OPENCLAW_TEST_SEED", "12");
    expect(generatedCases(300, 7)).toEqual({ numRuns: 1_000_000, seed: 12 });
    expect(isReleaseCheck()).toBe(true);
    expect(generatedTimeout(30_000)).toBeGreaterThan(3_600_000);
  });

  it("rejects a number that it cannot read", () => {
    vi.stubEnv("OPENCLAW_TEST_CASES", "10 million");
    expect(() => generatedCases(300)).toThrow('must be a whole number, got "10 million"');
  });
});
