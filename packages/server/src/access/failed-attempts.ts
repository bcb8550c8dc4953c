import type { Clock } from "@openclaw/foundation";
import { RateLimitedError } from "../errors.js";
import { networkOf } from "./client-address.js";

const MAXIMUM_FAILURES = 10;
const WINDOW_MS = 60_000;
const FIRST_BLOCK_MS = 60_000;
const LONGEST_BLOCK_MS = 15 * 60_000;
/** Networks that are remembered; beyond, the one that failed longest ago is forgotten. */
const MAXIMUM_NETWORKS = 10_000;

interface Failures {
  /** Times of the failures in the window, oldest first. */
  times: number[];
  /** Verifications in progress; each counts as a failure until it ends. */
  pending: number;
  blockedUntil: number;
  /** Length of the next block in milliseconds. */
  nextBlockMs: number;
}

/**
 * Limits failed attempts to authenticate: after 10 in a minute an address is blocked for a minute, each further time
 * twice as long, up to 15 minutes (GW-016). It uses the monotonic clock, so that a change of the time of day neither
 * ends nor extends a block.
 */
export class FailedAttempts {
  readonly #clock: Pick<Clock, "now">;
  readonly #networks = new Map<string, Failures>();
  readonly #watchers = new Set<(network: string) => void>();

  /** @param clock - monotonic clock */
  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /**
   * Checks that an address may present a token.
   * @param address - IP address of the client
   * @throws RateLimitedError while the address is blocked
   */
  check(address: string): void {
    const failures = this.#networks.get(networkOf(address));
    if (failures === undefined) return;
    const remaining = failures.blockedUntil - this.#clock.now();
    if (remaining > 0) throw blocked(address, remaining);
  }

  /**
   * Counts a verification that takes time, so that an address cannot start many at once.
   * @param address - IP address of the client
   * @returns function that ends the verification
   * @throws RateLimitedError when the address is blocked, or would be if its verifications fail
   */
  reserve(address: string): () => void {
    this.check(address);
    const failures = this.#failuresOf(address);
    if (this.#recent(failures).length + failures.pending >= MAXIMUM_FAILURES) {
      throw blocked(address, FIRST_BLOCK_MS);
    }
    failures.pending += 1;
    return () => {
      failures.pending -= 1;
    };
  }

  /**
   * Calls a function for each failed attempt at this node.
   * @param watcher - gets the network of the client, which counts as an address
   * @returns ends it
   */
  watch(watcher: (network: string) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * Counts a failed attempt.
   * @param address - IP address of the client
   * @param origin - true for an attempt at another node
   */
  fail(address: string, { isElsewhere = false }: { readonly isElsewhere?: boolean } = {}): void {
    if (!isElsewhere) for (const watcher of this.#watchers) watcher(networkOf(address));
    const now = this.#clock.now();
    const failures = this.#failuresOf(address);
    const times = this.#recent(failures);
    times.push(now);
    if (times.length < MAXIMUM_FAILURES) return;
    // A quiet time as long as the longest block ends the doubling.
    if (now - failures.blockedUntil > LONGEST_BLOCK_MS) failures.nextBlockMs = FIRST_BLOCK_MS;
    failures.blockedUntil = now + failures.nextBlockMs;
    failures.nextBlockMs = Math.min(failures.nextBlockMs * 2, LONGEST_BLOCK_MS);
    failures.times = [];
  }

  #recent(failures: Failures): number[] {
    const start = this.#clock.now() - WINDOW_MS;
    failures.times = failures.times.filter((time) => time > start);
    return failures.times;
  }

  /** Returns the failures of a network, which is now the last one to be forgotten. */
  #failuresOf(address: string): Failures {
    const key = networkOf(address);
    const failures = this.#networks.get(key) ?? {
      times: [],
      pending: 0,
      blockedUntil: Number.NEGATIVE_INFINITY,
      nextBlockMs: FIRST_BLOCK_MS,
    };
    this.#networks.delete(key);
    this.#networks.set(key, failures);
    const [oldest] = this.#networks.keys();
    if (this.#networks.size > MAXIMUM_NETWORKS && oldest !== undefined) {
      this.#networks.delete(oldest);
    }
    return failures;
  }
}

function blocked(address: string, retryAfterMs: number): RateLimitedError {
  return new RateLimitedError(
    `too many failed attempts to authenticate from ${address}`,
    retryAfterMs,
  );
}
