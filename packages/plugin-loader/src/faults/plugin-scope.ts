import { AsyncLocalStorage } from "node:async_hooks";
import type { PluginPollutionError } from "../errors.js";
import {
  builtInsWatch,
  type CheckDepth,
  type PollutionReceiver,
  type WatchedCaller,
} from "./built-ins-watch.js";

const current = new AsyncLocalStorage<PluginScope>();

/** Returns the plugin in whose call the code runs, also after an `await`, in a timer or in a listener of a socket. */
export function currentScope(): PluginScope | undefined {
  return current.getStore();
}

/** Returns the id of the plugin in whose call the code runs; undefined outside of plugins. */
export function currentPlugin(): string | undefined {
  return current.getStore()?.pluginId;
}

/** Host whose plugins have a scope. */
export interface ScopeOwner extends PollutionReceiver {
  /**
   * Finds the plugin of the innermost frame of a plugin in a stack.
   * @param stack - the stack of an error, without its message
   */
  blame(stack: string): { readonly pluginId: string; readonly place: string } | undefined;
}

/** One plugin of one host, as the owner of the code that runs. */
export class PluginScope implements WatchedCaller {
  #isLoading = false;
  #refusal: PluginPollutionError | undefined;

  /** @param owner - receives its faults */
  constructor(
    readonly pluginId: string,
    readonly owner: ScopeOwner,
  ) {}

  /**
   * Calls code of the plugin. What it leaves to the process, such as a rejection without a stack, is attributed to
   * the plugin, and so is a change of a built-in object.
   * @param work - calls the plugin
   * @param check - depth of the comparison of built-in objects
   */
  run<Result>(work: () => Result, check: CheckDepth = "complete"): Result {
    const call = builtInsWatch.enter(this, check);
    let result: Result;
    try {
      result = current.run(this, work);
    } catch (error) {
      builtInsWatch.returned(call, true);
      throw error;
    }
    if (!(result instanceof Promise)) {
      builtInsWatch.returned(call, true);
      return result;
    }
    // Before the next line, which needs the built-in `then`.
    builtInsWatch.returned(call, false);
    const settle = () => builtInsWatch.settled(call);
    result.then(settle, settle);
    return result;
  }

  /**
   * Runs the import or the `register` of the plugin, which fails when it changed a built-in object.
   * @param kind - the import or `register`
   * @param work - calls the plugin
   * @throws PluginPollutionError
   */
  async load<Result>(
    kind: "import" | "register",
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    this.#isLoading = true;
    this.#refusal = undefined;
    try {
      const result = await this.run(work, kind);
      if (this.#refusal !== undefined) throw this.#refusal;
      return result;
    } finally {
      this.#isLoading = false;
    }
  }

  /** Ends the calls that have not settled; the host has given them up. */
  abandon(): void {
    builtInsWatch.abandon(this);
  }

  blame(error: PluginPollutionError): void {
    if (this.#isLoading) this.#refusal ??= error;
    else this.owner.polluted(error);
  }
}
