import { type Clock, systemClock } from "@openclaw/foundation";
import type { ModelRequestError } from "../request/errors.js";
import { cooldownOf } from "./backoff.js";
import { type BreakerPass, type BreakerStatus, CircuitBreaker } from "./breaker.js";
import { failureRules, retryAfterOf } from "./failure-rules.js";
import type { ChainSettings } from "./settings.js";

/** The last failure of a model. */
export interface ModelFailure {
  /** Code of the error's class, for example `MODEL_RATE_LIMITED`. */
  readonly code: string;
  /** Message without keys. */
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** State of one model. */
export interface ModelState {
  /** `<provider id>/<model id>`. */
  readonly ref: string;
  readonly provider: string;
  readonly consecutiveFailures: number;
  /** Remaining cooldown in milliseconds; 0 when the model may be called. */
  readonly cooldownMs: number;
  /** End of the cooldown in milliseconds since the epoch, as the clock is set now. */
  readonly cooldownUntil?: number | undefined;
  readonly lastError?: ModelFailure | undefined;
}

/** State of one provider. */
export interface ProviderState {
  readonly provider: string;
  readonly breaker: BreakerStatus;
  /** Consecutive failed requests while the breaker is closed. */
  readonly consecutiveFailures: number;
  /** Milliseconds until an open breaker lets a request through. */
  readonly opensInMs?: number | undefined;
}

/** State of all models and providers that requests were sent to (LLM-024). */
export interface ModelHealthSnapshot {
  readonly models: readonly ModelState[];
  readonly providers: readonly ProviderState[];
}

/** Model whose health is kept. */
export interface HealthSubject {
  readonly ref: string;
  readonly provider: string;
}

interface ModelRecord {
  readonly subject: HealthSubject;
  failures: number;
  /** Monotonic time. */
  cooldownUntil: number;
  lastError: ModelFailure | undefined;
}

/** Models kept; callers name models freely, so their number has a limit. */
const MOST_MODELS = 1000;

/**
 * Cooldowns and circuit breakers of models. One object serves a host, so that the state survives a change of the
 * configuration (LLM-024). Durations are measured with a monotonic clock: setting the system time neither ends nor
 * prolongs a cooldown.
 */
export class ModelHealth {
  readonly #clock: Pick<Clock, "now">;
  readonly #wallClock: () => number;
  readonly #models = new Map<string, ModelRecord>();
  readonly #breakers = new Map<string, CircuitBreaker>();

  /**
   * @param clock - monotonic clock
   * @param wallClock - returns milliseconds since the epoch, for display
   */
  constructor(clock: Pick<Clock, "now"> = systemClock, wallClock: () => number = () => Date.now()) {
    this.#clock = clock;
    this.#wallClock = wallClock;
  }

  /**
   * Returns the monotonic time until which a model is not called, undefined when it may be called now. An open breaker
   * of its provider counts as a cooldown (LLM-026).
   */
  blockedUntil({ ref, provider }: HealthSubject): number | undefined {
    const now = this.#clock.now();
    const cooldown = this.#models.get(ref)?.cooldownUntil ?? 0;
    const breaker = this.#breakers.get(provider)?.blockedUntil(now);
    if (cooldown > now) return Math.max(cooldown, breaker ?? 0);
    return breaker;
  }

  /** Notes the start of a request; exactly one of `requestFailed`, `succeeded` and `released` follows. */
  begin({ provider }: HealthSubject): BreakerPass {
    return this.#breaker(provider).begin(this.#clock.now());
  }

  /**
   * Notes a failed request for the breaker of its provider.
   * @param pass - result of `begin`
   * @param error - failure
   * @param settings - thresholds
   */
  requestFailed(
    subject: HealthSubject,
    pass: BreakerPass,
    error: ModelRequestError,
    settings: ChainSettings,
  ): void {
    const breaker = this.#breaker(subject.provider);
    if (failureRules(error).breaks) breaker.failed(pass, this.#clock.now(), settings.breaker);
    else breaker.released(pass);
    this.#record(subject).lastError = {
      code: error.code,
      message: error.message,
      at: this.#wallClock(),
    };
  }

  /**
   * Notes that a model failed after all its repetitions, and starts its cooldown (LLM-017).
   * @param error - the last failure
   * @param settings - thresholds
   */
  modelFailed(subject: HealthSubject, error: ModelRequestError, settings: ChainSettings): void {
    if (!failureRules(error).cools) return;
    const record = this.#record(subject);
    record.failures += 1;
    const cooldown = cooldownOf(record.failures, retryAfterOf(error), settings.failover);
    record.cooldownUntil = this.#clock.now() + cooldown;
  }

  /**
   * Notes a complete reply: the model neither cools down nor has failures any more.
   * @param pass - result of `begin`
   * @param settings - number of successes that close the breaker
   */
  succeeded(subject: HealthSubject, pass: BreakerPass, settings: ChainSettings): void {
    this.#breaker(subject.provider).succeeded(pass, this.#clock.now(), settings.breaker);
    const record = this.#models.get(subject.ref);
    if (record === undefined) return;
    record.failures = 0;
    record.cooldownUntil = 0;
  }

  /**
   * Notes a request whose end says nothing about the provider.
   * @param pass - result of `begin`
   */
  released({ provider }: HealthSubject, pass: BreakerPass): void {
    this.#breaker(provider).released(pass);
  }

  /** Returns the state of all models and providers that were called since the start of the process. */
  snapshot(): ModelHealthSnapshot {
    const now = this.#clock.now();
    return {
      models: [...this.#models.values()].map(({ subject, failures, cooldownUntil, lastError }) => {
        const cooldownMs = Math.max(0, Math.ceil(cooldownUntil - now));
        return {
          ...subject,
          consecutiveFailures: failures,
          cooldownMs,
          cooldownUntil: cooldownMs === 0 ? undefined : this.#wallClock() + cooldownMs,
          lastError,
        };
      }),
      providers: [...this.#breakers].map(([provider, breaker]) => {
        const status = breaker.status(now);
        const until = breaker.blockedUntil(now);
        return {
          provider,
          breaker: status,
          consecutiveFailures: breaker.failures,
          opensInMs: status === "open" && until !== undefined ? Math.ceil(until - now) : undefined,
        };
      }),
    };
  }

  #breaker(provider: string): CircuitBreaker {
    const known = this.#breakers.get(provider);
    if (known !== undefined) return known;
    const breaker = new CircuitBreaker();
    this.#breakers.set(provider, breaker);
    return breaker;
  }

  #record(subject: HealthSubject): ModelRecord {
    const known = this.#models.get(subject.ref);
    if (known !== undefined) return known;
    const { ref, provider } = subject;
    const record = {
      subject: { ref, provider },
      failures: 0,
      cooldownUntil: 0,
      lastError: undefined,
    };
    this.#models.set(ref, record);
    const [oldest] = this.#models.keys();
    if (this.#models.size > MOST_MODELS && oldest !== undefined) this.#models.delete(oldest);
    return record;
  }
}
