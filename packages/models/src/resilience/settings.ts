/** Repetition of a failed request with the same model (LLM-025). */
export interface RetrySettings {
  /** Maximum number of repetitions with one model. */
  readonly retries: number;
  /** Wait before the first repetition in milliseconds; it doubles with each one. */
  readonly baseMs: number;
  /** Longest wait in milliseconds; when a provider asks for more, the next model is called instead. */
  readonly maxWaitMs: number;
}

/** Change to another model after a failure (LLM-016 to LLM-022). */
export interface FailoverSettings {
  /** Maximum number of further models that one request may try. */
  readonly maxFallbacks: number;
  /** Number of consecutive failures after which a model cools down. */
  readonly failureThreshold: number;
  /** First cooldown in milliseconds; it doubles with each further failure. */
  readonly cooldownMs: number;
  /** Longest cooldown in milliseconds. */
  readonly maxCooldownMs: number;
  /** True fails at once when every model cools down, instead of trying the one that is ready first. */
  readonly strict: boolean;
  /** Time in milliseconds for the first part of a response. */
  readonly firstResponseMs: number;
}

/** Protection of a provider that fails repeatedly (LLM-026). */
export interface BreakerSettings {
  /** Number of consecutive failed requests that open the breaker. */
  readonly failures: number;
  /** Time in milliseconds until an open breaker lets one request through. */
  readonly recoveryMs: number;
  /** Number of successful requests that close the breaker. */
  readonly successes: number;
}

/** Settings of a {@link ModelChain}. */
export interface ChainSettings {
  /** Maximum time of a call in milliseconds, with all repetitions and models (LLM-028). */
  readonly timeoutMs: number;
  readonly retry: RetrySettings;
  readonly failover: FailoverSettings;
  readonly breaker: BreakerSettings;
}

/** Settings without a configuration. */
export const DEFAULT_CHAIN_SETTINGS: ChainSettings = {
  timeoutMs: 300_000,
  retry: { retries: 3, baseMs: 1000, maxWaitMs: 60_000 },
  failover: {
    maxFallbacks: 3,
    failureThreshold: 1,
    cooldownMs: 30_000,
    maxCooldownMs: 300_000,
    strict: false,
    firstResponseMs: 60_000,
  },
  breaker: { failures: 5, recoveryMs: 30_000, successes: 2 },
};
