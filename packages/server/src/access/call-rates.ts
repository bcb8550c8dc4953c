import type { Clock } from "@openclaw/foundation";
import type { MethodCaller } from "@openclaw/protocol";
import type { CallLimits } from "../calls/method-calls.js";
import { RateLimitedError } from "../errors.js";

const WINDOW_MS = 60_000;

/** Calls per minute of one caller. */
export interface CallRates {
  /** Requests over HTTP and calls over WebSocket; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Chat messages, which count as requests too; 0 for no limit. */
  readonly chatSendsPerMinute: number;
}

/** Limits of GW-016. */
export const DEFAULT_CALL_RATES: CallRates = { requestsPerMinute: 600, chatSendsPerMinute: 60 };
/** Limits of the gateway's own token on the machine itself, which its operator uses. */
export const LOCAL_CALL_RATES: CallRates = { requestsPerMinute: 0, chatSendsPerMinute: 0 };

/** Keys of the configuration with the limits of a caller, for the person who reaches one. */
export type CallRateKeys = Readonly<Record<keyof CallRates, string>>;

/** Limits of a caller, and where they are set. */
export interface CallerRates {
  readonly rates: CallRates;
  readonly keys: CallRateKeys;
}

/** Receiver of each counted call of this node. */
type CallWatcher = (callerId: string, which: keyof CallRates) => void;

/** State of a limit after a request, for the headers of the response. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Time in milliseconds until another request is available, at most the window. */
  readonly resetMs: number;
}

/**
 * Limits the calls of each token in any period of a minute (GW-016). It uses the monotonic clock, so that a change of
 * the time of day has no effect.
 */
export class TokenCallLimits implements CallLimits {
  readonly #ratesOf: (caller: MethodCaller) => CallerRates;
  readonly #clock: Pick<Clock, "now">;
  readonly #requests = new Map<string, CallWindow>();
  readonly #chats = new Map<string, CallWindow>();
  readonly #watchers = new Set<CallWatcher>();

  /**
   * @param ratesOf - returns the limits of a caller
   * @param clock - monotonic clock
   */
  constructor(ratesOf: (caller: MethodCaller) => CallerRates, clock: Pick<Clock, "now">) {
    this.#ratesOf = ratesOf;
    this.#clock = clock;
  }

  /**
   * Counts the call of a method. A request over HTTP was counted when it was authenticated.
   * @param caller - client that calls
   * @throws RateLimitedError when the token made too many calls in the last minute
   */
  count(caller: MethodCaller, method: string): void {
    if (caller.via === "process") return;
    if (caller.via === "websocket") this.countRequest(caller);
    if (method === "chat.send") this.countChat(caller);
  }

  /**
   * Counts an authenticated request.
   * @param caller - client of the request
   * @returns the state of the limit; undefined for a token without limit
   * @throws RateLimitedError when the token made too many requests in the last minute
   */
  countRequest(caller: MethodCaller): RateState | undefined {
    return this.#count(caller, "requestsPerMinute");
  }

  /**
   * Counts a chat message.
   * @param caller - client that sends it
   * @throws RateLimitedError when the token sent too many in the last minute
   */
  countChat(caller: MethodCaller): void {
    this.#count(caller, "chatSendsPerMinute");
  }

  /**
   * Calls a function for each call that counts.
   * @returns ends it
   */
  watch(watcher: CallWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * Counts calls of another node, as far as the limit allows.
   * @param callerId - ID of the caller
   * @param count - number of calls
   */
  add(callerId: string, which: keyof CallRates, count: number): void {
    const caller = { id: callerId, scopes: [], via: "http" } as const;
    const window = this.#windowOf(caller, which, this.#ratesOf(caller).rates[which]);
    for (let call = 0; call < count && window?.add(this.#clock.now()) === 0; call += 1);
  }

  #windowOf({ id }: MethodCaller, which: keyof CallRates, limit: number): CallWindow | undefined {
    if (limit === 0) return undefined;
    const windows = which === "requestsPerMinute" ? this.#requests : this.#chats;
    const window = windows.get(id) ?? new CallWindow(limit);
    windows.set(id, window);
    return window;
  }

  #count(caller: MethodCaller, which: keyof CallRates): RateState | undefined {
    const { rates, keys } = this.#ratesOf(caller);
    const { id } = caller;
    const limit = rates[which];
    const window = this.#windowOf(caller, which, limit);
    if (window === undefined) return undefined;
    const waitMs = window.add(this.#clock.now());
    if (waitMs > 0) {
      throw new RateLimitedError(
        `the token "${id}" made more than ${limit} ${COUNTED[which]}${limit === 1 ? "" : "s"} in a minute`,
        waitMs,
        `raise ${keys[which]}; 0 removes the limit`,
      );
    }
    for (const watcher of this.#watchers) watcher(id, which);
    return window.state(this.#clock.now());
  }
}

const COUNTED = { requestsPerMinute: "request", chatSendsPerMinute: "chat message" } as const;

/** Times of the last calls of a token, in a ring of as many as are allowed. */
class CallWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  }

  /** Adds a call, unless as many as allowed were made in the last minute; returns the time to wait then. */
  add(now: number): number {
    const waitMs = (this.#times[this.#next] ?? 0) + WINDOW_MS - now;
    if (waitMs > 0) return waitMs;
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
    return 0;
  }

  /** Finds the oldest call in the window by bisection, because the ring is in order of time. */
  state(now: number): RateState {
    const limit = this.#times.length;
    const at = (index: number) => this.#times[(this.#next + index) % limit] ?? 0;
    let [low, high] = [0, limit];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(middle) + WINDOW_MS > now) high = middle;
      else low = middle + 1;
    }
    const resetMs = low === limit ? 0 : at(low) + WINDOW_MS - now;
    return { limit, remaining: low, resetMs };
  }
}
