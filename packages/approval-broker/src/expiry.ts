import type { Timers } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";

/** The longest that a timer of the process can wait. */
const LONGEST_MS = 2_147_483_647;

/** What {@link ApprovalExpiry} needs. */
export interface ApprovalExpiryOptions {
  /** Whose clock decides. */
  readonly store: Store;
  /** Where the timer comes from. */
  readonly timers: Timers;
  /** Settles what is past its time. */
  expire(): Promise<unknown>;
  /** Takes what the store throws. */
  failed(error: unknown): void;
}

/** One timer over the question whose time passes next; however many wait, they hold nothing else. */
export class ApprovalExpiry {
  readonly #options: ApprovalExpiryOptions;
  #timer: unknown;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ApprovalExpiryOptions) {
    this.#options = options;
  }

  /** Looks which question is next; call it whenever one was added. */
  arm(): void {
    this.#then(async () => {
      const { store, timers } = this.#options;
      const wait = await store.decisions.approvals.untilExpiry();
      timers.clearTimeout(this.#timer);
      if (wait === undefined || this.#closed) return;
      this.#timer = timers.setTimeout(() => this.#due(), Math.min(wait, LONGEST_MS));
      release(this.#timer);
    });
  }

  /** Lets go of the timer; what is past its time is settled by the next process. */
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

/** A question that waits does not keep a process from ending. */
function release(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    if (typeof timer.unref === "function") timer.unref();
  }
}
