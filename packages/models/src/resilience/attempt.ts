import type { Clock, TimerHandle } from "@openclaw/foundation";
import { ModelRequestError, ModelTimeoutError } from "../request/errors.js";
import type { ModelEvent } from "../request/event.js";
import { ObservedEvents } from "../request/observed-events.js";
import type { ModelRequest } from "../request/request.js";
import { streamModel } from "../request/stream-model.js";
import type { ResolvedModel } from "../selection/catalog.js";

import { incomplete } from "./tries.js";

/** Times of one request, in milliseconds. */
export interface RequestTimes {
  /** Time that is left of the whole call. */
  readonly leftMs: number;
  /** Time of the whole call, for the message of its timeout. */
  readonly timeoutMs: number;
  /** Time for the first part of a response. */
  readonly firstResponseMs: number;
}

/** End of a request. */
export type RequestEnd =
  | { readonly kind: "complete" }
  | {
      readonly kind: "failed";
      readonly error: ModelRequestError;
      /** True when a part of the reply was delivered before the failure. */
      readonly hasOutput: boolean;
      /** The limit that ended the request; undefined when the provider failed. */
      readonly limit: "total" | "first-response" | undefined;
    }
  /** The caller stopped reading, or its signal aborted. */
  | { readonly kind: "abandoned" };

/**
 * Sends a request and yields its events, within the time of the call.
 * @param model - model of the request
 * @param request - the request, with the caller's signal
 * @param context - clock, times, `onWait`: called every 10 seconds until the first part of the response, and `onEnd`:
 * receives the end of the request, once
 * @throws ModelRequestError, as `streamModel` does
 */
export function timedEvents(
  model: ResolvedModel,
  request: ModelRequest,
  context: {
    readonly clock: Pick<Clock, "setTimeout" | "clearTimeout">;
    readonly times: RequestTimes;
    onWait(waitedMs: number): void;
    onEnd(end: RequestEnd): void;
  },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { clock, times, onEnd } = context;
  const timer = new RequestTimer(clock, times, (waitedMs) => context.onWait(waitedMs));
  const { signal } = request;
  const stop = () => timer.stop(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const asked = { ...request, signal: timer.signal };
  let end: RequestEnd = { kind: "abandoned" };
  let hasOutput = false;
  const events = streamModel(model.model, asked, { onResponse: timer.responded });
  return new ObservedEvents(events, {
    onEvent(event) {
      hasOutput ||= event.type !== "finish";
    },
    onError(thrown) {
      // Anything else was thrown before the request was sent, for example because of a tool's schema.
      if (!ModelRequestError.isInstance(thrown)) return thrown;
      const cause = timer.timeout(model) ?? thrown;
      const error = hasOutput ? incomplete(cause) : cause;
      const { limit } = timer;
      if (!signal?.aborted) end = { kind: "failed", error, hasOutput, limit };
      return error;
    },
    onEnd(how) {
      if (how === "complete") end = { kind: "complete" };
      signal?.removeEventListener("abort", stop);
      timer.clear();
      onEnd(end);
    },
  });
}

/** Time after which a wait for a response is shown, and shown again, in milliseconds. */
const SHOWN_EVERY_MS = 10_000;

/** Aborts a request whose time is over, and shows that it waits. */
class RequestTimer {
  readonly #clock: Pick<Clock, "setTimeout" | "clearTimeout">;
  readonly #times: RequestTimes;
  readonly #stop = new AbortController();
  readonly #total: TimerHandle;
  readonly #onWait: (waitedMs: number) => void;
  #first: TimerHandle | undefined;
  #wait: TimerHandle | undefined;
  /** The limit that was exceeded. */
  limit: "total" | "first-response" | undefined;

  constructor(
    clock: Pick<Clock, "setTimeout" | "clearTimeout">,
    times: RequestTimes,
    onWait: (waitedMs: number) => void,
  ) {
    this.#onWait = onWait;
    this.#clock = clock;
    this.#times = times;
    this.#total = clock.setTimeout(() => this.#exceed("total"), times.leftMs);
    if (times.firstResponseMs < times.leftMs) {
      this.#first = clock.setTimeout(() => this.#exceed("first-response"), times.firstResponseMs);
    }
    this.#showLater(SHOWN_EVERY_MS);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  stop(reason: unknown): void {
    this.#stop.abort(reason);
  }

  readonly responded = (): void => {
    if (this.#wait === undefined) return;
    this.#clock.clearTimeout(this.#first);
    this.#clock.clearTimeout(this.#wait);
    this.#wait = undefined;
  };

  clear(): void {
    this.responded();
    this.#clock.clearTimeout(this.#total);
  }

  /** Returns the error of the exceeded limit. */
  timeout({ provider, modelId }: ResolvedModel): ModelTimeoutError | undefined {
    if (this.limit === undefined) return undefined;
    const { firstResponseMs, timeoutMs } = this.#times;
    const detail =
      this.limit === "total"
        ? `no complete reply within ${seconds(timeoutMs)}, the limit of models.timeoutMs`
        : `no response within ${seconds(firstResponseMs)}, the limit of models.failover.firstResponseMs`;
    return new ModelTimeoutError({ provider, model: modelId, detail });
  }

  #showLater(waitedMs: number): void {
    this.#wait = this.#clock.setTimeout(() => {
      this.#showLater(waitedMs + SHOWN_EVERY_MS);
      this.#onWait(waitedMs);
    }, SHOWN_EVERY_MS);
  }

  #exceed(limit: "total" | "first-response"): void {
    if (this.#stop.signal.aborted) return;
    this.limit = limit;
    this.#stop.abort(new DOMException("the time of the request is over", "TimeoutError"));
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
