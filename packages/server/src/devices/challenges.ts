import { randomBytes } from "node:crypto";
import type { Clock } from "@openclaw/foundation";
import { networkOf } from "../access/client-address.js";
import { RateLimitedError } from "../errors.js";
import { DEVICE_RULES } from "./rules.js";

const MINUTE_MS = 60_000;
/** Networks whose challenges are counted; beyond, the one that asked longest ago is forgotten. */
const MAXIMUM_NETWORKS = 10_000;

/** Challenge of one connection. */
export interface Challenge {
  /** Random value in Base64url. */
  readonly value: string;
  /** Public key for which it is valid. */
  readonly publicKey: string;
  /** Time of the monotonic clock from which it is not valid any more, in milliseconds. */
  readonly expiresAt: number;
  /** Ends the challenge, when it was answered or its connection has ended. */
  end(): void;
}

/** Creates challenges, and limits how many one network gets and leaves unanswered. */
export class Challenges {
  readonly #clock: Pick<Clock, "now">;
  /** Number of open challenges by network. */
  readonly #open = new Map<string, number>();
  #total = 0;
  /** Times of the challenges of the last minute by network, oldest first. */
  readonly #created = new Map<string, readonly number[]>();

  /** @param clock - monotonic clock */
  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /**
   * Creates a challenge.
   * @param publicKey - key of the device
   * @param address - IP address of the client
   * @throws RateLimitedError when the network asks too often, or too many challenges are open
   */
  create(publicKey: string, address: string): Challenge {
    const { maxOpenChallenges, maxOpenChallengesPerNetwork, challengeMs } = DEVICE_RULES;
    const network = networkOf(address);
    this.#count(network, address);
    const open = this.#open.get(network) ?? 0;
    if (this.#total >= maxOpenChallenges || open >= maxOpenChallengesPerNetwork) {
      throw new RateLimitedError("too many devices have not answered their challenge", MINUTE_MS);
    }
    this.#open.set(network, open + 1);
    this.#total += 1;
    let isOpen = true;
    return {
      value: randomBytes(32).toString("base64url"),
      publicKey,
      expiresAt: this.#clock.now() + challengeMs,
      end: () => {
        if (isOpen) this.#end(network);
        isOpen = false;
      },
    };
  }

  #end(network: string): void {
    const left = (this.#open.get(network) ?? 1) - 1;
    if (left === 0) this.#open.delete(network);
    else this.#open.set(network, left);
    this.#total -= 1;
  }

  #count(network: string, address: string): void {
    const now = this.#clock.now();
    const times = (this.#created.get(network) ?? []).filter((time) => time > now - MINUTE_MS);
    const [oldest = now] = times;
    if (times.length >= DEVICE_RULES.challengesPerMinute) {
      const problem = `too many requests of devices from ${address}`;
      throw new RateLimitedError(problem, oldest + MINUTE_MS - now);
    }
    // The network is now the last one to be forgotten.
    this.#created.delete(network);
    this.#created.set(network, [...times, now]);
    const [first] = this.#created.keys();
    if (this.#created.size > MAXIMUM_NETWORKS && first !== undefined) this.#created.delete(first);
  }
}
