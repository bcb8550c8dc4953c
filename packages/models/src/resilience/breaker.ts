import type { BreakerSettings } from "./settings.js";

/** State of a circuit breaker as operators see it. */
export type BreakerStatus = "closed" | "open" | "half-open";

/** Way in which a request passed a breaker. */
export type BreakerPass =
  /** The breaker is closed. */
  | "normal"
  /** The one request that a half-open breaker lets through. */
  | "probe"
  /** The last resort of a request whose other models cool down too (LLM-021). */
  | "forced";

type State =
  | { readonly status: "closed"; readonly failures: number }
  | { readonly status: "open"; readonly until: number; readonly successes: number }
  | { readonly status: "half-open"; readonly successes: number; readonly isProbing: boolean };

/**
 * Circuit breaker of a provider (LLM-026): consecutive failures open it; after the recovery time one request at a
 * time passes, and enough successes close it. Times are milliseconds of a monotonic clock.
 */
export class CircuitBreaker {
  #state: State = { status: "closed", failures: 0 };

  /** @param now - current time */
  status(now: number): BreakerStatus {
    return this.#at(now).status;
  }

  /** Number of consecutive failures while the breaker is closed. */
  get failures(): number {
    return this.#state.status === "closed" ? this.#state.failures : 0;
  }

  /**
   * Returns the time until which requests do not pass; undefined when the next one passes. While a probe runs, this is
   * the current time, because its end is unknown.
   * @param now - current time
   */
  blockedUntil(now: number): number | undefined {
    const state = this.#at(now);
    if (state.status === "open") return state.until;
    return state.status === "half-open" && state.isProbing ? now : undefined;
  }

  /**
   * Notes the start of a request. Every start is followed by one of `failed`, `succeeded` and `released`.
   * @param now - current time
   */
  begin(now: number): BreakerPass {
    const state = this.#at(now);
    if (state.status === "closed") return "normal";
    if (state.status === "open" || state.isProbing) return "forced";
    this.#state = { ...state, isProbing: true };
    return "probe";
  }

  /**
   * Notes a failed request that counts.
   * @param pass - how the request passed
   * @param now - current time
   * @param settings - threshold and recovery time
   */
  failed(pass: BreakerPass, now: number, { failures, recoveryMs }: BreakerSettings): void {
    const state = this.#at(now);
    if (state.status === "closed") {
      const count = state.failures + 1;
      this.#state =
        count >= failures
          ? { status: "open", until: now + recoveryMs, successes: 0 }
          : { status: "closed", failures: count };
      return;
    }
    // A request that started before the breaker opened says nothing about the time since.
    if (pass === "normal") return;
    this.#state = { status: "open", until: now + recoveryMs, successes: 0 };
  }

  /**
   * Notes a successful request.
   * @param pass - how the request passed
   * @param now - current time
   * @param settings - number of successes that close the breaker
   */
  succeeded(pass: BreakerPass, now: number, settings: BreakerSettings): void {
    const state = this.#at(now);
    if (state.status === "closed") {
      this.#state = { status: "closed", failures: 0 };
      return;
    }
    if (pass === "normal") return;
    const successes = state.successes + 1;
    if (successes >= settings.successes) {
      this.#state = { status: "closed", failures: 0 };
      return;
    }
    const isProbing = pass === "forced" && state.status === "half-open" && state.isProbing;
    this.#state = { status: "half-open", successes, isProbing };
  }

  /**
   * Notes a request whose end says nothing about the provider, for example one that the caller aborted.
   * @param pass - how the request passed
   */
  released(pass: BreakerPass): void {
    const state = this.#state;
    if (pass !== "probe" || state.status !== "half-open") return;
    this.#state = { ...state, isProbing: false };
  }

  #at(now: number): State {
    const state = this.#state;
    if (state.status === "open" && state.until <= now) {
      this.#state = { status: "half-open", successes: state.successes, isProbing: false };
    }
    return this.#state;
  }
}
