import { type Clock, errorMessage } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { NoModelAvailableError } from "../errors.js";
import type { ReplyCache } from "../reply/reply-cache.js";
import type { ModelRequestError } from "../request/errors.js";
import { requestFailure } from "../request/failure.js";
import type { ModelRequest } from "../request/request.js";
import type { ResolvedModel } from "../selection/catalog.js";
import { type RequestEnd, timedEvents } from "./attempt.js";
import { retryWait } from "./backoff.js";
import type { ChainCall, ChainNotice, ModelAttempt, ModelCandidate } from "./call.js";
import { nextCandidate, orderCandidates } from "./candidate-order.js";
import { failureRules, retryAfterOf } from "./failure-rules.js";
import type { ModelHealth } from "./health.js";
import type { ChainSettings } from "./settings.js";
import { type ModelTry, withTries } from "./tries.js";

/** Dependencies of {@link ChainRun}. */
export interface ChainDependencies {
  readonly health: ModelHealth;
  readonly settings: ChainSettings;
  readonly clock: Clock;
  /** Returns a number from 0 to 1, for waits. */
  readonly random: () => number;
  readonly cache: ReplyCache | undefined;
  readonly systemText: ((system: string) => string) | undefined;
}

type Step<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "next"; readonly error: unknown };

/** One call of a chain. */
export class ChainRun<Result> {
  readonly #call: ChainCall;
  readonly #attempt: (attempt: ModelAttempt) => Promise<Result>;
  readonly #dependencies: ChainDependencies;
  readonly #ordered: readonly ModelCandidate[];
  readonly #endsAt: number;
  readonly #tries = new Map<string, ModelTry>();
  #requests = 0;
  /** Error of the model that was called last. */
  #lastError: ModelRequestError | undefined;

  constructor(
    call: ChainCall,
    attempt: (attempt: ModelAttempt) => Promise<Result>,
    dependencies: ChainDependencies,
  ) {
    this.#call = call;
    this.#attempt = attempt;
    this.#dependencies = dependencies;
    this.#ordered = orderCandidates(call.candidates);
    this.#endsAt = dependencies.clock.now() + dependencies.settings.timeoutMs;
  }

  async result(): Promise<Result> {
    const { maxFallbacks } = this.#dependencies.settings.failover;
    let failed: { readonly ref: string; readonly error: unknown } | undefined;
    for (let calls = 0; calls <= maxFallbacks; calls++) {
      const next = this.#next();
      if (next.kind === "none" || this.#isOver(calls)) break;
      const { candidate } = next;
      if (failed !== undefined) {
        const { ref: from, error } = failed;
        const code = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
        const reason = errorMessage(error);
        this.#notify({ kind: "failover", from, to: candidate.ref, code, reason });
      }
      const step = await this.#try(candidate, next.kind === "last-resort");
      if (step.kind === "done") return step.result;
      failed = { ref: candidate.ref, error: step.error };
    }
    if (failed === undefined) throw this.#unavailable();
    if (this.#lastError === undefined) throw failed.error;
    throw this.#explained(this.#lastError);
  }

  /** True when no time is left for a further model. */
  #isOver(calls: number): boolean {
    return calls > 0 && this.#dependencies.clock.now() >= this.#endsAt;
  }

  #next() {
    const { health, settings } = this.#dependencies;
    return nextCandidate(this.#ordered, {
      tried: new Set(this.#tries.keys()),
      blockedUntil: (candidate) => health.blockedUntil(candidate),
      strict: settings.failover.strict,
    });
  }

  /** Calls one model, repeatedly while that may help. */
  async #try(candidate: ModelCandidate, isLastResort: boolean): Promise<Step<Result>> {
    const { ref } = candidate;
    const { settings, health } = this.#dependencies;
    this.#tries.set(ref, { kind: "untried", ref });
    let model: ResolvedModel;
    try {
      model = await candidate.resolve();
    } catch (error) {
      this.#tries.set(ref, { kind: "unusable", ref, problem: errorMessage(error) });
      return { kind: "next", error };
    }
    for (let retry = 0; ; retry++) {
      const pass = health.begin(candidate);
      const { outcome, end } = await this.#send(model);
      if (end.kind === "complete") health.succeeded(candidate, pass, settings);
      else if (end.kind === "failed") health.requestFailed(candidate, pass, end.error, settings);
      else health.released(candidate, pass);
      if (outcome.status === "fulfilled") {
        if (end.kind === "failed") health.modelFailed(candidate, end.error, settings);
        return { kind: "done", result: outcome.value };
      }
      // Any other error is not one of the model, for example of a hook or of the journal.
      if (end.kind !== "failed" || outcome.reason !== end.error) throw outcome.reason;
      const { error, hasOutput, limit } = end;
      this.#lastError = error;
      this.#tries.set(ref, { kind: "failed", ref, code: error.code, requests: retry + 1 });
      const mayRepeat = !isLastResort && pass === "normal" && limit === undefined && !hasOutput;
      const waitMs = mayRepeat ? this.#waitBefore(retry, error, candidate) : undefined;
      if (waitMs === undefined) {
        health.modelFailed(candidate, error, settings);
        if (hasOutput) throw error;
        if (limit === "total" || !failureRules(error).movesOn) throw this.#explained(error);
        return { kind: "next", error };
      }
      this.#notify({ kind: "retry", ref, retry: retry + 1, waitMs, error });
      await this.#wait(waitMs, model);
    }
  }

  /** Runs one attempt, and returns how it and its request ended. */
  async #send(model: ResolvedModel) {
    const sent: { end: RequestEnd } = { end: { kind: "abandoned" } };
    const attempt = this.#request(model, (end) => {
      sent.end = end;
    });
    const [outcome] = await Promise.allSettled([this.#attempt(attempt)]);
    return { outcome, end: sent.end };
  }

  #request(model: ResolvedModel, onEnd: (end: RequestEnd) => void): ModelAttempt {
    const { cache, systemText } = this.#dependencies;
    const { signal } = this.#call;
    this.#requests += 1;
    return {
      model,
      number: this.#requests,
      events: (request) => {
        const { system } = request;
        const asked: ModelRequest = {
          ...request,
          ...(system === undefined || systemText === undefined
            ? undefined
            : { system: systemText(system) }),
          ...(signal === undefined ? undefined : { signal }),
        };
        const ask = () => this.#ask(model, asked, onEnd);
        return cache === undefined ? ask() : cache.events(model.ref, asked, ask);
      },
    };
  }

  #ask(model: ResolvedModel, request: ModelRequest, onEnd: (end: RequestEnd) => void) {
    const { clock, settings } = this.#dependencies;
    const { firstResponseMs } = settings.failover;
    const times = {
      leftMs: Math.max(0, this.#endsAt - clock.now()),
      timeoutMs: settings.timeoutMs,
      firstResponseMs,
    };
    const limitMs = Math.min(firstResponseMs, times.leftMs);
    const onWait = (waitedMs: number) =>
      this.#notify({ kind: "waiting", ref: model.ref, waitedMs, limitMs });
    return timedEvents(model, request, { clock, onEnd, onWait, times });
  }

  /** Returns the wait before the next repetition; undefined when the model is not called again. */
  #waitBefore(
    retry: number,
    error: ModelRequestError,
    candidate: ModelCandidate,
  ): number | undefined {
    const { settings, random, health, clock } = this.#dependencies;
    if (!failureRules(error).repeats || retry >= settings.retry.retries) return undefined;
    // The breaker opened.
    if (health.blockedUntil(candidate) !== undefined) return undefined;
    const waitMs = retryWait(retry, retryAfterOf(error), settings.retry, random);
    if (waitMs === undefined || clock.now() + waitMs >= this.#endsAt) return undefined;
    return waitMs;
  }

  async #wait(ms: number, { model }: ResolvedModel): Promise<void> {
    const { clock } = this.#dependencies;
    const { signal } = this.#call;
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        clock.clearTimeout(timer);
        reject(requestFailure(signal?.reason, model, signal));
      };
      const timer = clock.setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    });
  }

  #notify(notice: ChainNotice): void {
    this.#call.onNotice?.(notice);
  }

  #explained(error: ModelRequestError): ModelRequestError {
    return withTries(
      error,
      this.#ordered.map((candidate) => this.#tryOf(candidate)),
    );
  }

  #unavailable(): NoModelAvailableError {
    const tries = this.#ordered.map((candidate) => this.#tryOf(candidate));
    return new NoModelAvailableError(tries.filter((entry) => entry.kind === "cooling"));
  }

  #tryOf(candidate: ModelCandidate): ModelTry {
    const { ref } = candidate;
    const known = this.#tries.get(ref);
    if (known !== undefined) return known;
    const { health, clock } = this.#dependencies;
    const until = health.blockedUntil(candidate);
    return until === undefined
      ? { kind: "untried", ref }
      : { kind: "cooling", ref, readyInMs: Math.max(0, until - clock.now()) };
  }
}
