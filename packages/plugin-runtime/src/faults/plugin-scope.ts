import { AsyncLocalStorage } from "node:async_hooks";
import type { PluginPollutionError } from "../errors.js";
import { builtInsWatch, type PollutionReceiver, type WatchedCaller } from "./built-ins-watch.js";

const current = new AsyncLocalStorage<PluginScope>();

/** Returns the plugin in whose call the code runs, also after an `await`, in a timer or in a listener of a socket. */
export function currentScope(): PluginScope | undefined {
  return current.getStore();
}

/** One plugin of one host, as the owner of the code that runs. */
export class PluginScope implements WatchedCaller {
  running = 0;
  #isLoading = false;
  #refusal: PluginPollutionError | undefined;

  /**
   * @param pluginId - the plugin
   * @param owner - receives its faults
   */
  constructor(
    readonly pluginId: string,
    readonly owner: PollutionReceiver,
  ) {}

  /**
   * Calls code of the plugin. What it leaves to the process, such as a rejection without a stack, is attributed to
   * the plugin, and so is a change of a built-in object.
   * @param work - calls the plugin
   * @param isOften - true checks all built-in objects only in some of such calls
   */
  run<Result>(work: () => Result, isOften = false): Result {
    const isThorough = builtInsWatch.enter(this, isOften);
    let result: Result;
    try {
      result = current.run(this, work);
    } catch (error) {
      this.#leave(isThorough);
      throw error;
    }
    if (!(result instanceof Promise)) {
      this.#leave(isThorough);
      return result;
    }
    // Before the next line, which needs the `then` of the language.
    builtInsWatch.returned(this, isThorough);
    const settle = () => {
      builtInsWatch.settled(this, isThorough);
      builtInsWatch.leave(this);
    };
    result.then(settle, settle);
    return result;
  }

  /**
   * Runs the import or the `register` of the plugin, which fails when it changed a built-in object.
   * @param work - calls the plugin
   * @throws PluginPollutionError
   */
  async load<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    this.#isLoading = true;
    this.#refusal = undefined;
    try {
      // Without the inner `await`, the `then` that the plugin may have replaced would be called.
      const result = await this.run(async () => await work());
      if (this.#refusal !== undefined) throw this.#refusal;
      return result;
    } finally {
      this.#isLoading = false;
    }
  }

  blame(error: PluginPollutionError): void {
    if (this.#isLoading) this.#refusal ??= error;
    else this.owner.polluted(error);
  }

  #leave(isThorough: boolean): void {
    builtInsWatch.returned(this, isThorough);
    builtInsWatch.leave(this);
  }
}
