import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cooldownOf, retryWait } from "../../src/resilience/backoff.js";
import { DEFAULT_CHAIN_SETTINGS } from "../../src/resilience/settings.js";
import vectors from "../vectors/core.json" with { type: "json" };

const { retry, failover } = DEFAULT_CHAIN_SETTINGS;

describe("wait before a repetition", () => {
  const suite = vectors.retry_backoff;

  it("[LLM-025] doubles from 1 s, and varies by 25 %", () => {
    expect(retry).toMatchObject({ retries: suite.max_retries, baseMs: suite.base_ms });
    const range = (attempt: number) => [
      retryWait(attempt, undefined, retry, () => 0),
      retryWait(attempt, undefined, retry, () => 1),
    ];
    for (const { id, min_ms, max_ms } of suite.ranges) {
      expect(range(Number(id.slice(-3)) - 1), id).toEqual([min_ms, max_ms]);
    }
    expect(range(1)).toEqual([1500, 2500]);
  });

  it("[LLM-025] is never shorter than 100 ms, and never longer than the maximum by more than its variation", () => {
    const settings = fc.record({
      retries: fc.constant(3),
      baseMs: fc.integer({ min: 0, max: 100_000 }),
      maxWaitMs: fc.integer({ min: 0, max: 100_000 }),
    });
    const asked = fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        settings,
        asked,
        fc.nat(40),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (...given) => {
          const [bounds, retryAfterMs, attempt, random] = given;
          const wait = retryWait(attempt, retryAfterMs, bounds, () => random);
          if (wait === undefined)
            return retryAfterMs !== undefined && retryAfterMs > bounds.maxWaitMs;
          return (
            wait >= suite.floor_ms && wait <= Math.max(suite.floor_ms, bounds.maxWaitMs * 1.25)
          );
        },
      ),
    );
  });

  it("[LLM-025] is the time that the provider asks for, up to 60 s", () => {
    const wait = (retryAfterMs: number) => retryWait(2, retryAfterMs, retry, () => 0.5);
    expect([wait(0), wait(7000), wait(60_000), wait(60_001)]).toEqual([
      100,
      7000,
      60_000,
      undefined,
    ]);
  });
});

describe("cooldown", () => {
  const suite = vectors.failover_seed;

  it("[LLM-017] doubles from 30 s to 300 s with each consecutive failure", () => {
    expect(failover).toMatchObject({
      cooldownMs: suite.base_cooldown_ms,
      maxCooldownMs: suite.cap_ms,
    });
    for (const { id, failures, cooldown_ms } of suite.cooldown_ms_by_failure) {
      expect(cooldownOf(failures, undefined, failover), id).toBe(cooldown_ms);
    }
    const all = [1, 2, 3, 4, 5, 6].map((failures) => cooldownOf(failures, undefined, failover));
    expect(all).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
    expect(cooldownOf(5000, undefined, failover)).toBe(300_000);
  });

  it("[LLM-019] is the time that the provider asks for when that is longer", () => {
    expect(cooldownOf(1, 29_000, failover)).toBe(30_000);
    expect(cooldownOf(1, 3_600_000, failover)).toBe(3_600_000);
  });

  it("[LLM-019] is an hour at most because of the provider, so that a preferred model is tried again", () => {
    expect(cooldownOf(1, 86_400_000, failover)).toBe(3_600_000);
    expect(cooldownOf(1, Number.MAX_SAFE_INTEGER, failover)).toBe(3_600_000);
  });

  it("[LLM-022] begins with the configured number of failures, and may be of one length", () => {
    const { cooldown_duration_s, failure_threshold } = vectors.failover_upstream_feb22.defaults;
    const cooldownMs = cooldown_duration_s * 1000;
    const fixed = { failureThreshold: failure_threshold, cooldownMs, maxCooldownMs: cooldownMs };
    const all = [1, 2, 3, 4, 9].map((failures) =>
      cooldownOf(failures, undefined, { ...failover, ...fixed }),
    );
    expect(all).toEqual([0, 0, 300_000, 300_000, 300_000]);
    expect(failover.failureThreshold).toBe(1);
  });
});
