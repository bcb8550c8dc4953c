import { errorMessage } from "@openclaw/foundation";
import type { Logger, Unregister } from "@openclaw/plugin-sdk/plugin-entry";

/** A new generation counts, `plugins.changed` (PLUG-050). */
export interface PluginsChanged {
  /** Number of the new generation. */
  readonly generation: number;
  /** Plugins that are in it and were not in the one before, or not in the same way. */
  readonly loaded: readonly string[];
  /** Plugins that are not in it any more. */
  readonly unloaded: readonly string[];
}

/** Tells whoever listens of new generations. */
export class ChangeEmitter {
  readonly #listeners = new Set<(change: PluginsChanged) => void>();

  constructor(private readonly logger: Logger) {}

  /**
   * Adds a listener.
   * @param listener - what it throws is logged
   * @returns a function that takes it back
   */
  listen(listener: (change: PluginsChanged) => void): Unregister {
    // A function of its own, so that taking one back leaves another of the same in place.
    const own = (change: PluginsChanged) => listener(change);
    this.#listeners.add(own);
    const takeBack = () => {
      this.#listeners.delete(own);
    };
    return Object.assign(() => takeBack(), { [Symbol.dispose]: takeBack });
  }

  /**
   * Tells all listeners.
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
