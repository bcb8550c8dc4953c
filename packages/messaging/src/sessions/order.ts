import { Mutex } from "@openclaw/foundation";

/** Runs the tasks of a session one after another, and tells whether there is one. */
export class Order {
  readonly #mutex = new Mutex();
  #size = 0;

  /** True when no task runs or waits. */
  get isFree(): boolean {
    return this.#size === 0;
  }

  /**
   * Runs a task after the earlier ones.
   * @param task - function that is called once; its failure rejects only the returned promise
   */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#size += 1;
    const done = this.#mutex.run(task);
    const ended = () => {
      this.#size -= 1;
    };
    done.then(ended, ended);
    return done;
  }
}
