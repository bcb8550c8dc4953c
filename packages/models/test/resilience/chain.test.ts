import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import {
  createScriptedModel,
  type ModelAttempt,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelHealth,
  ModelProviderNotReadyError,
  ModelRateLimitedError,
  ModelRequestFailedError,
  ModelTimeoutError,
  NoModelAvailableError,
  type ScriptStep,
} from "../../src/index.js";
import { failureRules } from "../../src/resilience/failure-rules.js";
import { candidate, DOWN, NO_RETRIES, OK, testChain } from "../support/chain.js";
import { collect, request } from "../support/collect.js";
import { FAILURES, failureOf } from "../support/failures.js";
import vectors from "../vectors/core.json" with { type: "json" };

/** A model that fails in every request. */
const down = (ref: string, priority = 0) => candidate(ref, () => DOWN, { priority });
/** A model that replies to every request. */
const up = (ref: string, priority = 0) => candidate(ref, () => OK, { priority });
/** A model that gives these steps in order. */
const stepping = (ref: string, ...steps: ScriptStep[]) => candidate(ref, steps);

describe("failover", () => {
  it("[LLM-016] calls models by priority, and skips those that cool down", async () => {
    const { ask } = testChain(NO_RETRIES);
    const models = [up("c/m", 2), down("a/m", 1), up("b/m", 1)] as const;
    expect(await ask(models)).toBe("b/m: fine");
    expect(await ask(models)).toBe("b/m: fine");
    expect(models.map(({ calls }) => calls())).toEqual([0, 1, 2]);
  });

  it("[LLM-016] calls the next model after a failure, and none after a reply", async () => {
    const named: Record<string, () => Promise<void>> = {
      async primary_ok() {
        const models = [up("p/1"), up("p/2")] as const;
        expect(await testChain(NO_RETRIES).ask(models)).toBe("p/1: fine");
        expect(models[1].calls()).toBe(0);
      },
      async all_fail() {
        const asked = testChain(NO_RETRIES).ask([down("p/1"), down("p/2")]);
        await expect(asked).rejects.toThrow(/^model p\/2 failed/);
      },
      async three() {
        const models = [down("p/1"), down("p/2"), up("p/3")];
        expect(await testChain(NO_RETRIES).ask(models)).toBe("p/3: fine");
      },
      async cooldown_expires() {
        const failover = { failureThreshold: 1, cooldownMs: 1, maxCooldownMs: 1 };
        const { ask, clock } = testChain({ ...NO_RETRIES, failover });
        const models = [stepping("p/1", DOWN, DOWN, OK), up("p/2")] as const;
        const served: string[] = [];
        for (const calls of [1, 2, 3]) {
          served.push(await ask(models));
          expect(models[0].calls()).toBe(calls);
          clock.advance(2);
        }
        expect(served).toEqual(["p/2: fine", "p/2: fine", "p/1: fine"]);
      },
      async reset_on_success() {
        const { ask, health } = testChain({ ...NO_RETRIES, failover: { failureThreshold: 3 } });
        const models = [stepping("p/1", DOWN, DOWN, OK), up("p/2")];
        for (let count = 0; count < 3; count += 1) await ask(models);
        expect(health.snapshot().models).toMatchObject([
          { ref: "p/1", consecutiveFailures: 0, cooldownMs: 0 },
        ]);
      },
    };
    for (const { name } of vectors.failover_upstream_feb22.scenarios) await named[name]?.();
    expect(Object.keys(named)).toEqual(
      vectors.failover_upstream_feb22.scenarios.map(({ name }) => name),
    );
  });

  it("[LLM-017] cools a model down for longer after each failure, until it succeeds", async () => {
    const { ask, clock, health } = testChain({ ...NO_RETRIES, breaker: { failures: 1000 } });
    const steps = [...Array.from({ length: 6 }, () => DOWN), OK, DOWN];
    const models = [stepping("p/1", ...steps), up("p/2")];
    const cooldowns: number[] = [];
    for (const _step of steps) {
      await ask(models);
      const { cooldownMs = 0 } = health.snapshot().models.find(({ ref }) => ref === "p/1") ?? {};
      cooldowns.push(cooldownMs);
      clock.advance(cooldownMs - 1);
      if (cooldownMs > 0) expect(await ask(models)).toBe("p/2: fine");
      clock.advance(1);
    }
    const doubled = [30_000, 60_000, 120_000, 240_000, 300_000, 300_000];
    expect(cooldowns).toEqual([...doubled, 0, 30_000]);
  });

  it("[LLM-018] moves on after failures of the provider, and stops after others", async () => {
    const { retryable, not_retryable } = vectors.failover_upstream_feb22;
    const rulesOf = (names: readonly string[]) =>
      names.flatMap((name) => (FAILURES[name] ?? []).map((kind) => failureRules(failureOf(kind))));
    expect(rulesOf([...retryable, "Timeout"]).every(({ movesOn }) => movesOn)).toBe(true);
    expect(rulesOf([...not_retryable, "Aborted"]).some(({ movesOn }) => movesOn)).toBe(false);

    const tooLong = { error: { status: 400, message: "prompt is too long: 9 tokens > 5" } };
    const unknown = { error: { status: 404, message: "no such model" } };
    for (const step of [tooLong, unknown]) {
      const models = [down("a/m"), stepping("b/m", step), up("c/m")] as const;
      const error = await testChain(NO_RETRIES)
        .ask(models)
        .catch((thrown: Error) => thrown);
      expect(String(error)).toMatch(
        /model b\/m .*\(a\/m failed with MODEL_REQUEST_FAILED; c\/m was not called\)$/,
      );
      expect(models[2].calls()).toBe(0);
    }
  });

  it("sends a request that a provider rejects as faulty to the next model, without a cooldown", async () => {
    const { ask, health } = testChain();
    const models = [
      candidate("a/m", () => ({ error: { status: 422, message: "no" } })),
      up("b/m"),
    ] as const;
    expect(await ask(models)).toBe("b/m: fine");
    expect(models[0].calls()).toBe(1);
    expect(health.snapshot()).toMatchObject({
      models: [{ ref: "a/m", cooldownMs: 0, lastError: { code: "MODEL_REQUEST_FAILED" } }],
      providers: [{ provider: "a", consecutiveFailures: 0 }, { provider: "b" }],
    });
  });

  it("[LLM-018] reports a wrong key in one sentence after one request", async () => {
    const wrong = candidate("a/m", () => ({ error: { status: 401, message: "invalid key" } }));
    const { ask, notices, health } = testChain();
    const error = await ask([wrong, up("b/m")]).catch((thrown: unknown) => thrown);
    expect(ModelAuthenticationError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(
      /model a\/m rejected the credential \(HTTP 401: invalid key\); check the API key of provider a, and that it may use this model \(b\/m was not called\)$/,
    );
    expect(wrong.calls()).toBe(1);
    expect(notices).toEqual([]);
    // The next message finds the model again, for example after the key was replaced.
    expect(health.blockedUntil(wrong)).toBeUndefined();
  });

  it("[LLM-019] waits as long as the provider asks before it calls the model again", async () => {
    const { ask, health } = testChain();
    const limited = { error: { status: 429, message: "slow", retryAfterMs: 3_600_000 } };
    const models = [stepping("a/m", limited), up("b/m")] as const;
    expect(await ask(models)).toBe("b/m: fine");
    expect(models[0].calls()).toBe(1);
    expect(health.snapshot().models).toMatchObject([{ ref: "a/m", cooldownMs: 3_600_000 }]);
  });

  it("[LLM-019] calls a preferred model again within the hour, whatever the provider asks for", async () => {
    const { ask, clock } = testChain();
    const limited = { error: { status: 429, message: "slow", retryAfterMs: 86_400_000 } };
    const models = [stepping("a/m", limited, OK), up("b/m")] as const;
    expect(await ask(models)).toBe("b/m: fine");
    clock.advance(3_599_000);
    expect(await ask(models)).toBe("b/m: fine");
    clock.advance(1000);
    expect(await ask(models)).toBe("a/m: fine");
  });

  it("[LLM-020] tries at most 3 further models, and lists the tries", async () => {
    const { ask } = testChain(NO_RETRIES);
    const models = ["a/m", "b/m", "c/m", "d/m", "e/m"].map((ref) => down(ref));
    const error = await ask(models).catch((thrown: unknown) => thrown);
    expect(models.map(({ calls }) => calls())).toEqual([1, 1, 1, 1, 0]);
    expect(ModelRequestFailedError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(
      /model d\/m failed .*\(a\/m failed with MODEL_REQUEST_FAILED; b\/m failed .*; c\/m failed .*; e\/m was not called\)$/,
    );
  });

  it("[LLM-021] tries the model that is ready first once when all cool down", async () => {
    const { ask, clock } = testChain({ ...NO_RETRIES, failover: { maxFallbacks: 1 } });
    const models = [down("a/m"), stepping("b/m", DOWN, DOWN, OK)] as const;
    await expect(ask(models)).rejects.toThrow("b/m failed");
    clock.advance(29_000);
    // `a/m` began to cool down first.
    await expect(ask(models)).rejects.toThrow(
      /a\/m failed .*b\/m was not called, because it cools down for another/,
    );
    await expect(ask(models)).rejects.toThrow("b/m failed");
    expect(models.map(({ calls }) => calls())).toEqual([2, 2]);
    clock.advance(61_000);
    expect(await ask(models)).toBe("b/m: fine");
  });

  it("[LLM-021] does not repeat the request of the last resort", async () => {
    const { ask } = testChain();
    const model = down("a/m");
    await expect(ask([model])).rejects.toThrow("called 4 times");
    await expect(ask([model])).rejects.toThrow(/moment or choose another model$/);
    expect(model.calls()).toBe(5);
  });

  it("[LLM-021] fails at once in strict mode, and without a model", async () => {
    const { ask } = testChain({ ...NO_RETRIES, failover: { strict: true } });
    const model = down("a/m");
    await expect(ask([model])).rejects.toThrow("a/m failed");
    const error = await ask([model]).catch((thrown: unknown) => thrown);
    expect(NoModelAvailableError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(/No providers available: .*\(a\/m for another 30 s\)/);
    expect(model.calls()).toBe(1);
    await expect(ask([])).rejects.toThrow("No providers available: no model is configured");
  });

  it("[LLM-022] cools a model down after the configured number of failures", async () => {
    const failover = { failureThreshold: 3, cooldownMs: 300_000, maxCooldownMs: 300_000 };
    const { ask, health } = testChain({ ...NO_RETRIES, failover });
    const models = [down("a/m"), up("b/m")] as const;
    for (let count = 0; count < 5; count += 1) await ask(models);
    expect(models[0].calls()).toBe(3);
    expect(health.snapshot().models).toMatchObject([{ cooldownMs: 300_000 }]);
  });

  it("passes a fallback that has no key, and names it in the error", async () => {
    const keyless = {
      ...up("b/m"),
      resolve: () =>
        Promise.reject(new ModelProviderNotReadyError("b/m", "b", "set B_KEY", undefined)),
    };
    const { ask } = testChain(NO_RETRIES);
    expect(await ask([down("a/m"), keyless, up("c/m")])).toBe("c/m: fine");
    const asked = testChain(NO_RETRIES).ask([down("a/m"), keyless]);
    await expect(asked).rejects.toThrow(
      /^model a\/m failed.*\(b\/m cannot be used: .*set B_KEY\)$/,
    );
    await expect(testChain().ask([keyless])).rejects.toBeInstanceOf(ModelProviderNotReadyError);
  });

  it("creates a model only when it is called", async () => {
    const resolved: string[] = [];
    const watched = [up("a/m"), up("b/m")].map((one) => ({
      ...one,
      resolve() {
        resolved.push(one.ref);
        return one.resolve();
      },
    }));
    await testChain().ask(watched);
    expect(resolved).toEqual(["a/m"]);
  });
});

describe("failure in the middle of a reply", () => {
  const broken: ScriptStep = { text: "the beginning of a reply", breakAfter: 2 };

  it("[LLM-023] neither repeats the text nor changes the model", async () => {
    const models = [candidate("a/m", () => broken), up("b/m")] as const;
    const { chain, health } = testChain();
    const shown: string[] = [];
    const asked = chain.run({ candidates: models }, async (attempt) => {
      for await (const event of attempt.events(request())) {
        if (event.type === "text") shown.push(event.delta);
      }
    });
    await expect(asked).rejects.toThrow(/^model a\/m .*the reply is incomplete/);
    expect(shown.length).toBeGreaterThan(0);
    expect("the beginning of a reply").toMatch(new RegExp(`^${shown.join("")}`));
    expect(models.map(({ calls }) => calls())).toEqual([1, 0]);
    expect(health.snapshot().models).toMatchObject([{ ref: "a/m", cooldownMs: 30_000 }]);
  });

  it("calls the next model when nothing was delivered yet", async () => {
    const silent = candidate("a/m", () => ({ text: "lost", breakAfter: 0 }));
    const { ask } = testChain(NO_RETRIES);
    expect(await ask([silent, up("b/m")])).toBe("b/m: fine");
  });
});

describe("repetition", () => {
  it("[LLM-025] calls a model up to 4 times, with growing waits, before the next one", async () => {
    const { ask, notices } = testChain();
    const attempts: ModelAttempt[] = [];
    const models = [down("a/m"), up("b/m")];
    expect(await ask(models, { attempts })).toBe("b/m: fine");
    expect(attempts.map(({ number, model }) => [number, model.ref])).toEqual([
      [1, "a/m"],
      [2, "a/m"],
      [3, "a/m"],
      [4, "a/m"],
      [5, "b/m"],
    ]);
    expect(notices).toMatchObject([
      { kind: "retry", ref: "a/m", retry: 1, waitMs: 1000 },
      { kind: "retry", ref: "a/m", retry: 2, waitMs: 2000 },
      { kind: "retry", ref: "a/m", retry: 3, waitMs: 4000 },
      { kind: "failover", from: "a/m", to: "b/m" },
    ]);
  });

  it("[LLM-025] waits as long as the provider asks, or goes to the next model", async () => {
    const limited = (retryAfterMs: number) => ({
      error: { status: 429, message: "slow", retryAfterMs },
    });
    const { ask, notices, clock } = testChain();
    const startedAt = clock.now();
    const models = [stepping("a/m", limited(20_000), limited(61_000)), up("b/m")];
    expect(await ask(models)).toBe("b/m: fine");
    expect(notices).toMatchObject([{ kind: "retry", waitMs: 20_000 }, { kind: "failover" }]);
    expect(clock.now() - startedAt).toBeLessThan(21_000);
  });

  it("[LLM-010] does not repeat a request whose session was not renewed, and calls the next model", async () => {
    const code = "ACME_SESSION_RENEWAL_FAILED";
    const expired = Object.assign(new Error("the session expired; sign in again"), { code });
    const ended = {
      ...createScriptedModel([]),
      doStream: () => Promise.reject(expired),
    };
    const models = [candidate("a/m", ended), up("b/m")] as const;
    await testChain().ask(models);
    expect(models.map(({ calls }) => calls())).toEqual([1, 1]);
    const alone = [candidate("a/m", ended)] as const;
    const error = await testChain()
      .ask(alone)
      .catch((thrown: Error) => thrown);
    expect(alone[0].calls()).toBe(1);
    expect(String(error)).toMatch(/not renewed \(the session expired; sign in again\)/);
    expect(String(error)).not.toContain("log in");
  });

  it("does not repeat a request of an account without quota", async () => {
    const empty = candidate("a/m", () => ({ error: { status: 402, message: "no credit" } }));
    const { ask, health } = testChain();
    expect(await ask([empty, up("b/m")])).toBe("b/m: fine");
    expect(empty.calls()).toBe(1);
    expect(health.snapshot().models).toMatchObject([{ cooldownMs: 30_000 }]);
    const error = await ask([empty]).catch((thrown: unknown) => thrown);
    expect(ModelRateLimitedError.isInstance(error)).toBe(true);
  });

  it("[LLM-028] stops waiting at once when the caller aborts", async () => {
    const { chain, clock, health } = testChain();
    const abort = new AbortController();
    const model = down("a/m");
    const asked = chain.run(
      {
        candidates: [model],
        signal: abort.signal,
        onNotice: () => void queueMicrotask(() => abort.abort()),
      },
      (attempt) => collect(attempt.events(request())),
    );
    await expect(asked).rejects.toMatchObject({ code: "MODEL_ABORTED" });
    expect([model.calls(), clock.activeTimers]).toEqual([1, 0]);
    expect(health.blockedUntil(model)).toBeUndefined();
  });

  it("[LLM-028] ends after 300 s, with all repetitions and models", async () => {
    const never = createScriptedModel(() => ({ waitFor: new Promise(() => {}) }));
    const { ask, clock } = testChain({ failover: { firstResponseMs: 400_000 } });
    const startedAt = clock.now();
    const error = await ask([candidate("a/m", never)]).catch((thrown: unknown) => thrown);
    expect(ModelTimeoutError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(/no complete reply within 300 s, the limit of models.timeoutMs/);
    expect(clock.now() - startedAt).toBe(300_000);
    expect(clock.activeTimers).toBe(0);
  });

  it("[LLM-028] does not wait for a repetition that could not end in time", async () => {
    const { ask, clock } = testChain({ timeoutMs: 2500 });
    const startedAt = clock.now();
    const model = down("a/m");
    await expect(ask([model])).rejects.toThrow("a/m failed");
    expect(model.calls()).toBe(2);
    expect(clock.now() - startedAt).toBeLessThan(2500);
  });

  it("[LLM-044] ends after 60 s without a response also when no other model can be called, and shows that it waits", async () => {
    const never = createScriptedModel(() => ({ waitFor: new Promise(() => {}) }));
    const { ask, clock, notices } = testChain();
    const startedAt = clock.now();
    const model = candidate("a/m", never);
    const error = await ask([model]).catch((thrown: unknown) => thrown);
    expect(ModelTimeoutError.isInstance(error)).toBe(true);
    expect(String(error)).toContain(
      "no response within 60 s, the limit of models.failover.firstResponseMs",
    );
    expect(clock.now() - startedAt).toBe(60_000);
    expect([model.calls(), clock.activeTimers]).toEqual([1, 0]);
    expect(notices).toEqual(
      [10, 20, 30, 40, 50].map((seconds) => ({
        ...{ kind: "waiting", ref: "a/m", waitedMs: seconds * 1000, limitMs: 60_000 },
      })),
    );
  });

  it("[LLM-044] goes to the next model when the first one accepts a request and does not respond", async () => {
    const never = createScriptedModel(() => ({ waitFor: new Promise(() => {}) }));
    const { ask, clock } = testChain();
    const startedAt = clock.now();
    const models = [candidate("a/m", never), up("b/m")] as const;
    expect(await ask(models)).toBe("b/m: fine");
    expect(models[0].calls()).toBe(1);
    expect(clock.now() - startedAt).toBe(60_000);
  });
});

describe("health", () => {
  it("[LLM-026] stops calling a provider after 5 failed requests of all its models, and probes it", async () => {
    const { ask, clock, health } = testChain();
    const models = [down("p/1"), down("p/2"), up("q/1")] as const;
    expect(await ask(models)).toBe("q/1: fine");
    // The fifth failed request opened the breaker.
    expect(models.map(({ calls }) => calls())).toEqual([4, 1, 1]);
    expect(health.snapshot().providers).toMatchObject([
      { provider: "p", breaker: "open" },
      { provider: "q", breaker: "closed" },
    ]);
    clock.advance(30_000);
    // The probe fails, and is not repeated.
    expect(await ask(models)).toBe("q/1: fine");
    expect(models[0].calls() + models[1].calls()).toBe(6);
    expect(health.snapshot().providers).toMatchObject([{ provider: "p", breaker: "open" }, {}]);
  });

  it("[LLM-026] skips a model of an open breaker like one that cools down", async () => {
    const { ask, health } = testChain({ breaker: { failures: 1 } });
    await expect(ask([down("p/1")])).rejects.toThrow("p/1 failed");
    const other = up("p/2");
    expect(health.blockedUntil(other)).toBeDefined();
    expect(await ask([other, up("q/1")])).toBe("q/1: fine");
    expect(other.calls()).toBe(0);
    // Without another model it is the last resort.
    expect(await ask([other])).toBe("p/2: fine");
  });

  it("frees the probe of a request that the caller aborts", async () => {
    const { chain, clock, health } = testChain({ breaker: { failures: 1 } });
    const abort = new AbortController();
    const aborting = () => {
      abort.abort();
      return { waitFor: new Promise<void>(() => {}) };
    };
    const model = candidate("p/1", [DOWN, aborting, OK]);
    const send = (signal?: AbortSignal) =>
      chain.run({ candidates: [model], signal }, (attempt) => collect(attempt.events(request())));
    await expect(send()).rejects.toThrow();
    clock.advance(30_000);
    const asked = send(abort.signal);
    await expect(asked).rejects.toMatchObject({ code: "MODEL_ABORTED" });
    expect(health.blockedUntil(model)).toBeUndefined();
    expect(await send()).toHaveLength(2);
  });

  it("[LLM-024] shows cooldowns and failures, which a chain with other settings continues", async () => {
    const clock = createManualClock(5000);
    const health = new ModelHealth(clock, () => 1_700_000_000_000);
    const models = [down("a/m"), up("b/m")] as const;
    await testChain(NO_RETRIES, { health, clock }).ask(models);
    clock.advance(10_000);
    const state = {
      models: [
        {
          ref: "a/m",
          provider: "a",
          consecutiveFailures: 1,
          cooldownMs: 20_000,
          cooldownUntil: 1_700_000_020_000,
          lastError: {
            code: "MODEL_REQUEST_FAILED",
            message: expect.stringContaining("overloaded"),
            at: 1_700_000_000_000,
          },
        },
      ],
      providers: [
        { provider: "a", breaker: "closed", consecutiveFailures: 1 },
        { provider: "b", breaker: "closed", consecutiveFailures: 0 },
      ],
    };
    expect(health.snapshot()).toEqual(state);
    const reloaded = testChain({ failover: { cooldownMs: 1 } }, { health, clock });
    expect(await reloaded.ask(models)).toBe("b/m: fine");
    expect(models[0].calls()).toBe(1);
    expect(new ModelHealth().snapshot()).toEqual({ models: [], providers: [] });
  });

  it("keeps a cooldown when the system time is set", async () => {
    const clock = createManualClock(5000);
    let wallClock = 1_000_000;
    const health = new ModelHealth(clock, () => wallClock);
    const { ask } = testChain(NO_RETRIES, { health, clock });
    const models = [down("a/m"), up("b/m")] as const;
    await ask(models);
    for (const time of [wallClock + 86_400_000, 0]) {
      wallClock = time;
      expect(await ask(models)).toBe("b/m: fine");
      expect(health.snapshot().models).toMatchObject([
        { cooldownMs: 30_000, cooldownUntil: time + 30_000 },
      ]);
    }
    expect(models[0].calls()).toBe(1);
    clock.advance(30_000);
    await ask(models);
    expect(models[0].calls()).toBe(2);
  });
});

describe("attempt", () => {
  it("ends the call with an error that is not one of the model", async () => {
    const { chain, health } = testChain();
    const model = up("a/m");
    const asked = chain.run({ candidates: [model] }, async (attempt) => {
      await collect(attempt.events(request()));
      throw new Error("the journal is full");
    });
    await expect(asked).rejects.toThrow("the journal is full");
    expect(model.calls()).toBe(1);
    expect(health.blockedUntil(model)).toBeUndefined();
  });

  it("may return a result after a failure", async () => {
    const { chain } = testChain();
    const model = down("a/m");
    const result = await chain.run({ candidates: [model, up("b/m")] }, async (attempt) => {
      try {
        await collect(attempt.events(request()));
      } catch (error) {
        return ModelConnectionError.isInstance(error) ? "connection" : "partial";
      }
    });
    expect([result, model.calls()]).toEqual(["partial", 1]);
  });
});
