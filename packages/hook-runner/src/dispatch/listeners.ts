import type { HandlerEntry } from "../define/handler-entry.js";

// A dispatch hands callbacks to the promises it waits for. Making them costs more than most handlers do,
// so it leaves them to the next dispatch of its list, unless a promise it gave up may still call them.

// Interfaces instead of the runs, because the runs import the list, and the list this file.
interface SequentialHearer {
  fulfilled(value: unknown): void;
  rejected(error: unknown): void;
}

interface ParallelHearer {
  fulfilled(entry: HandlerEntry, index: number): void;
  rejected(entry: HandlerEntry, index: number, error: unknown): void;
}

const NOBODY = { fulfilled: () => {}, rejected: () => {} };

/** One pair of callbacks, for handlers that run one after another. */
export class SequentialListener {
  /** Receiver of the callbacks. */
  hearer: SequentialHearer = NOBODY;
  readonly onValue = (value: unknown): void => this.hearer.fulfilled(value);
  readonly onError = (error: unknown): void => this.hearer.rejected(error);

  /**
   * Releases the promise, since the dispatch continues without it; a late settlement receives the
   * result.
   */
  leaveTo(late: SequentialHearer): void {
    this.hearer = late;
  }

  /** Clears the receiver, so that unused callbacks keep no dispatch in memory. */
  release(): this {
    this.hearer = NOBODY;
    return this;
  }
}

/** A pair of callbacks for each place in a list, for handlers that run concurrently. */
export class ParallelListeners {
  hearer: ParallelHearer = NOBODY;
  private readonly onValues: (() => void)[] = [];
  private readonly onErrors: ((error: unknown) => void)[] = [];

  listen(promise: Promise<unknown>, entry: HandlerEntry, index: number): void {
    this.onValues[index] ??= () => this.hearer.fulfilled(entry, index);
    this.onErrors[index] ??= (error) => this.hearer.rejected(entry, index, error);
    promise.then(this.onValues[index], this.onErrors[index]);
  }

  release(): this {
    this.hearer = NOBODY;
    return this;
  }
}
