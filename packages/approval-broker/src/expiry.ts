import { releaseTimer, type Timers } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";

/** Maximum delay of a process timer, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** Options of an {@link ApprovalExpiry}. */
export interface ApprovalExpiryOptions {
  /** Store whose clock decides. */
  readonly store: Store;
  /** Timers of the process. */
  readonly timers: Timers;
  /** Settles the expired requests. */
  expire(): Promise<unknown>;
  /** Handles an error of the store. */
  failed(error: unknown): void;
}

/** Timer for the approval request that expires next; pending requests use no other resource. */
export class ApprovalExpiry {
  readonly #options: ApprovalExpiryOptions;
  #timer: unknown;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ApprovalExpiryOptions) {
    this.#options = options;
  }

  /** Sets the timer for the request that expires next. Call it whenever a request was added. */
  arm(): void {
    this.#then(async () => {
      const { store, timers } = this.#options;
      const wait = await store.decisions.approvals.untilExpiry();
      timers.clearTimeout(this.#timer);
      if (wait === undefined || this.#closed) return;
      this.#timer = timers.setTimeout(() => this.#due(), Math.min(wait, LONGEST_MS));
      // Pending requests do not keep the process from its end.
      releaseTimer(this.#timer);
    });
  }

  /** Stops the timer; the next process settles the requests that expire after it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.timers.clearTimeout(this.#timer);
    await this.#work;
  }

  #due(): void {
    this.#then(() => this.#options.expire());
    this.arm();
  }

  #then(work: () => Promise<unknown>): void {
    this.#work = this.#work.then(async () => {
      if (!this.#closed) await work();
    });
    this.#work = this.#work.catch((error: unknown) => this.#options.failed(error));
  }
}
