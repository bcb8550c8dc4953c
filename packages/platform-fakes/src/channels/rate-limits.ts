/** Limit of a platform: at most a number of messages in any span of time. */
export interface RateLimit {
  /** Name of the place that is limited, for example a chat. */
  readonly key: string;
  readonly count: number;
  readonly ms: number;
}

/** Limit for messages in quick succession, each of which borrows the time of later ones. */
export interface BorrowedRate {
  readonly key: string;
  /** Time that each message needs, in milliseconds. */
  readonly everyMs: number;
  /** Number of messages that may be sent within the time of one. */
  readonly burst: number;
}

interface Borrowed {
  readonly start: number;
  readonly count: number;
  readonly until: number;
}

/**
 * Counts the messages of a client, and tells how long it must wait. A platform is without limits until a test asks for
 * them: most tests send faster than people.
 */
export class RateLimits {
  /** Number of messages that were accepted since the limits are enforced. */
  accepted = 0;
  /** Number of messages that were rejected. */
  rejected = 0;
  /** Time that the last rejected message had to wait, in milliseconds. */
  lastWaitMs = 0;
  /** Number of rejected messages that came before the time was over that the client had been told. */
  early = 0;
  readonly #times = new Map<string, number[]>();
  readonly #borrowed = new Map<string, Borrowed>();
  readonly #told = new Map<string, number>();
  #now: (() => number) | undefined;

  /**
   * Enforces the limits from now on.
   * @param now - returns milliseconds since the epoch, for example of the clock of a test host
   */
  enforce(now: () => number = Date.now): void {
    this.#now = now;
  }

  /**
   * Counts a message that all limits allow.
   * @param limits - limits that apply to the message
   * @returns time to wait in milliseconds; 0 for a message that is accepted
   */
  take(...limits: readonly (RateLimit | BorrowedRate)[]): number {
    if (this.#now === undefined) return 0;
    const now = this.#now();
    const wait = Math.max(0, ...limits.map((limit) => this.#waitOf(limit, now)));
    if (wait === 0) {
      for (const limit of limits) this.#count(limit, now);
      this.accepted += 1;
      return 0;
    }
    const key = JSON.stringify(limits.map((limit) => limit.key));
    this.rejected += 1;
    this.lastWaitMs = wait;
    if (now < (this.#told.get(key) ?? 0)) this.early += 1;
    this.#told.set(key, now + wait);
    return wait;
  }

  #waitOf(limit: RateLimit | BorrowedRate, now: number): number {
    if ("burst" in limit) {
      const { start, count, until } = this.#borrowed.get(limit.key) ?? FREE;
      const isBurst = now < start + limit.everyMs && count < limit.burst;
      return now >= until || isBurst ? 0 : until - now;
    }
    const times = this.#within(limit, now);
    const [oldest = now] = times.slice(-limit.count);
    return times.length < limit.count ? 0 : oldest + limit.ms - now;
  }

  #count(limit: RateLimit | BorrowedRate, now: number): void {
    if ("burst" in limit) {
      const { start, count, until } = this.#borrowed.get(limit.key) ?? FREE;
      const isFree = now >= until;
      this.#borrowed.set(limit.key, {
        start: isFree ? now : start,
        count: isFree ? 1 : count + 1,
        until: Math.max(until, now) + limit.everyMs,
      });
      return;
    }
    this.#times.set(nameOf(limit), [...this.#within(limit, now), now]);
  }

  #within(limit: RateLimit, now: number): readonly number[] {
    return (this.#times.get(nameOf(limit)) ?? []).filter((time) => time > now - limit.ms);
  }
}

const FREE: Borrowed = { start: 0, count: 0, until: 0 };

function nameOf({ key, count, ms }: RateLimit): string {
  return JSON.stringify([key, count, ms]);
}
