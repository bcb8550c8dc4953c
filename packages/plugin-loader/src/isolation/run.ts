import type { Link } from "./link.js";
import type { RegistrationCall } from "./message.js";

/** Messages of one second that a plugin may send without being asked. */
export const MOST_UNASKED = 10_000;

/** A promise that is settled from outside. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => undefined;
  reject: (reason: unknown) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** One run of the thread or process of a plugin. */
export class Run {
  isOver = false;
  /** True once it has registered what the host knows. */
  isReady = false;
  /** Signs of life that are missing. */
  missed = 0;
  /** Why the host ended it. */
  killedFor: string | undefined;
  #killedAt = 0;
  readonly registered = new Deferred<readonly RegistrationCall[]>();
  link: Link | undefined;
  #unasked = 0;
  #unaskedSince: number;

  /** @param now - milliseconds that no change of the clock changes */
  constructor(now: number) {
    this.#unaskedSince = now;
    this.registered.promise.catch(() => undefined);
  }

  /**
   * Counts a message that the host did not ask for.
   * @returns true when there are more in a second than the host can handle
   */
  countUnasked(now: number): boolean {
    if (now - this.#unaskedSince >= 1000) {
      this.#unaskedSince = now;
      this.#unasked = 0;
    }
    this.#unasked += 1;
    return this.#unasked > MOST_UNASKED;
  }

  /** Ends it at once; the first reason counts. */
  kill(reason: string, now: number): void {
    if (this.killedFor !== undefined) return;
    this.killedFor = reason;
    this.#killedAt = now;
    this.link?.kill();
  }

  /** Returns the milliseconds that its end took; undefined when it ended by itself. */
  killMs(now: number): number | undefined {
    return this.killedFor === undefined ? undefined : now - this.#killedAt;
  }
}
