import type { TimerHandle, Timers } from "@openclaw/foundation";

/** Timers, and clocks in milliseconds. */
export interface JobClock {
  readonly timers: Timers;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Returns milliseconds since any moment; a change of the time of the machine does not change it. */
  elapsed(): number;
}

/** Measures the working time of a run; waits do not count (JOB-010, JOB-015). */
export class WorkClock {
  readonly #clock: JobClock;
  readonly #limitMs: number;
  readonly #expired: () => void;
  #spentMs: number;
  #since: number | undefined;
  #timer: TimerHandle | undefined;

  /**
   * @param clock - timers and clock
   * @param limit - time that may be spent, and time that was spent by the same run in an earlier process
   * @param expired - called once when the limit is reached
   */
  constructor(
    clock: JobClock,
    { limitMs, spentMs }: { readonly limitMs: number; readonly spentMs: number },
    expired: () => void,
  ) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#spentMs = spentMs;
    this.#expired = expired;
  }

  /** True while it runs. */
  get isRunning(): boolean {
    return this.#since !== undefined;
  }

  /** Working time so far, in whole milliseconds. */
  get spentMs(): number {
    const running = this.#since === undefined ? 0 : this.#clock.elapsed() - this.#since;
    return Math.round(this.#spentMs + running);
  }

  /** Starts the clock, unless it runs. */
  start(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#clock.elapsed();
    this.#timer = this.#clock.timers.setTimeout(
      () => this.#expired(),
      Math.max(0, this.#limitMs - this.#spentMs),
    );
  }

  /** Stops the clock, if it runs. */
  stop(): void {
    this.#spentMs = this.spentMs;
    this.#since = undefined;
    this.#clock.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
