/** Limits the number of runs that have a process at the same time; further runs wait in order (LOB-017). */
export class RunSlots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #used = 0;

  /** @param most - number of runs */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for a free slot.
   * @param signal - gives up the wait
   * @returns function that frees the slot
   * @throws the reason of the signal
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#used < this.#most) this.#used += 1;
    else await this.#turn(signal);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#used -= 1;
      else next();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
