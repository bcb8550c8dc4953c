import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "../../src/resilience/breaker.js";
import { failureRules } from "../../src/resilience/failure-rules.js";
import { DEFAULT_CHAIN_SETTINGS } from "../../src/resilience/settings.js";
import { FAILURES, failureOf } from "../support/failures.js";
import vectors from "../vectors/core.json" with { type: "json" };

const { breaker: settings } = DEFAULT_CHAIN_SETTINGS;
const suite = vectors.circuit_breaker;

function opened(now = 0): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let count = 0; count < settings.failures; count += 1) {
    breaker.failed(breaker.begin(now), now, settings);
  }
  return breaker;
}

describe("circuit breaker", () => {
  it("[LLM-026] opens after 5 consecutive failures for 30 s, and closes after 2 successes", () => {
    expect(settings).toEqual({
      failures: suite.failure_threshold,
      recoveryMs: suite.recovery_timeout_s * 1000,
      successes: suite.half_open_successes_needed,
    });
    const breaker = new CircuitBreaker();
    const seen = new Set<string>();
    for (let count = 1; count < 5; count += 1) {
      breaker.failed(breaker.begin(0), 0, settings);
      seen.add(breaker.status(0));
      expect(breaker.blockedUntil(0)).toBeUndefined();
      expect(breaker.failures).toBe(count);
    }
    breaker.failed(breaker.begin(0), 0, settings);
    seen.add(breaker.status(0));
    expect(breaker.blockedUntil(29_999)).toBe(30_000);
    expect(breaker.blockedUntil(30_000)).toBeUndefined();
    seen.add(breaker.status(30_000).replace("-", "_"));
    expect([...seen]).toEqual(suite.states);
    for (const status of ["half-open", "closed"]) {
      const pass = breaker.begin(30_000);
      expect(pass).toBe("probe");
      breaker.succeeded(pass, 30_001, settings);
      expect(breaker.status(30_001)).toBe(status);
    }
  });

  it("[LLM-026] lets one probe through at a time", () => {
    const breaker = opened();
    expect(breaker.begin(30_000)).toBe("probe");
    expect(breaker.blockedUntil(30_000)).toBe(30_000);
    expect(breaker.begin(30_000)).toBe("forced");
    breaker.released("probe");
    expect(breaker.blockedUntil(30_000)).toBeUndefined();
    expect(breaker.begin(30_000)).toBe("probe");
  });

  it("[LLM-026] opens again for 30 s when a probe fails", () => {
    const breaker = opened();
    breaker.succeeded(breaker.begin(30_000), 30_000, settings);
    breaker.failed(breaker.begin(31_000), 32_000, settings);
    expect(breaker.status(32_000)).toBe("open");
    expect(breaker.blockedUntil(61_999)).toBe(62_000);
    // The earlier success does not count any more.
    breaker.succeeded(breaker.begin(62_000), 62_000, settings);
    expect(breaker.status(62_000)).toBe("half-open");
  });

  it("counts consecutive failures only", () => {
    const breaker = new CircuitBreaker();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 4; count += 1) breaker.failed(breaker.begin(0), 0, settings);
      breaker.succeeded(breaker.begin(0), 0, settings);
    }
    expect(breaker.status(0)).toBe("closed");
  });

  it("ignores late ends of requests that started before it opened", () => {
    const breaker = new CircuitBreaker();
    const early = breaker.begin(0);
    for (let count = 0; count < 5; count += 1) breaker.failed(breaker.begin(0), 0, settings);
    breaker.succeeded(early, 10_000, settings);
    expect(breaker.status(10_000)).toBe("open");
    const probe = breaker.begin(30_000);
    breaker.failed(early, 30_000, settings);
    expect(breaker.status(30_000)).toBe("half-open");
    breaker.succeeded(probe, 30_001, settings);
    expect(breaker.status(30_001)).toBe("half-open");
  });

  it("[LLM-027] counts the classes that say that the provider failed", () => {
    const counted = Object.entries(FAILURES)
      .filter(([, classes]) => classes.some((name) => failureRules(failureOf(name)).breaks))
      .map(([name]) => name);
    // `Timeout` is counted in addition to the vectors.
    expect(new Set(counted)).toEqual(new Set([...suite.counts_as_failure, "Timeout"]));
  });
});
