import { errorMessage } from "@openclaw/foundation";
import type { Logger, Unregister } from "@openclaw/plugin-sdk/plugin-entry";

/** A new generation is active, `plugins.changed` (PLUG-050). */
export interface PluginsChanged {
  /** Number of the new generation. */
  readonly generation: number;
  /** Plugins that are new or changed since the previous generation. */
  readonly loaded: readonly string[];
  /** Plugins that are no longer in it. */
  readonly unloaded: readonly string[];
}

/** Notifies listeners of new generations. */
export class ChangeEmitter {
  readonly #listeners = new Set<(change: PluginsChanged) => void>();

  constructor(private readonly logger: Logger) {}

  /**
   * Adds a listener.
   * @param listener - its errors are logged
   * @returns a function that removes the listener
   */
  listen(listener: (change: PluginsChanged) => void): Unregister {
    // A new function for each call, so that the same listener can be added and removed twice.
    const own = (change: PluginsChanged) => listener(change);
    this.#listeners.add(own);
    const takeBack = () => {
      this.#listeners.delete(own);
    };
    return Object.assign(() => takeBack(), { [Symbol.dispose]: takeBack });
  }

  /**
   * Notifies all listeners.
   * @param change - the new generation
   */
  emit(change: PluginsChanged): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.logger.error(`a listener of plugins.changed failed: ${errorMessage(error)}`);
      }
    }
  }
}
