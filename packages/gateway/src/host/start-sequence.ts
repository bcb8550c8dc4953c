/** Step of a start that has ended, in the order in which they run (GW-001). */
export interface StartStep {
  readonly name:
    | "configuration"
    | "state folder"
    | "lock"
    | "log"
    | "store"
    | "settings"
    | "secrets"
    | "plugins"
    | "gateway_pre_start"
    | "services"
    | "channels"
    | "listener"
    | "recovery"
    | "gateway_start";
  readonly durationMs: number;
  /** Error with which it failed; the start has failed then. */
  readonly error?: unknown;
}

/** Runs a step of a start, and reports its name and duration. */
export type RunStep = <Result>(
  name: StartStep["name"],
  work: () => Result | Promise<Result>,
) => Promise<Result>;

/** Runs the steps of a start, records how to undo them, and undoes them in reverse order. */
export class StartSequence {
  readonly #steps: (() => unknown)[] = [];
  readonly #onStep: ((step: StartStep) => void) | undefined;

  /** @param onStep - receives each step when it has ended */
  constructor(onStep?: (step: StartStep) => void) {
    this.#onStep = onStep;
  }

  /**
   * Runs a step.
   * @param name - name of the step
   * @param work - function that may be asynchronous
   * @throws the error of `work`
   */
  readonly step: RunStep = async (name, work) => {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const result = await work();
      this.#onStep?.({ name, durationMs: durationMs() });
      return result;
    } catch (error) {
      this.#onStep?.({ name, durationMs: durationMs(), error });
      throw error;
    }
  };

  /**
   * Adds the function that undoes a step that has just succeeded.
   * @param undo - function that may be asynchronous
   */
  add(undo: () => unknown): void {
    this.#steps.push(undo);
  }

  /** Undoes every step, the last one first; a failure does not prevent the others. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let undo = this.#steps.pop(); undo !== undefined; undo = this.#steps.pop()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "the host did not close cleanly");
  }
}
