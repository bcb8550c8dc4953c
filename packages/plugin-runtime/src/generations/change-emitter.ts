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

/** Notifies listeners of changes, for example of new generations. */
export class ChangeEmitter<Change = PluginsChanged> {
  readonly #listeners = new Set<(change: Change) => void>();

  /**
   * @param logger - receives the errors of listeners
   * @param event - name of the event in messages
   */
  constructor(
    private readonly logger: Logger,
    private readonly event = "plugins.changed",
  ) {}

  /**
   * Adds a listener.
   * @param listener - its errors are logged
   * @returns a function that removes the listener
   */
  listen(listener: (change: Change) => void): Unregister {
    // A new function for each call, so that the same listener can be added and removed twice.
    const own = (change: Change) => listener(change);
    this.#listeners.add(own);
    const takeBack = () => {
      this.#listeners.delete(own);
    };
    return Object.assign(() => takeBack(), { [Symbol.dispose]: takeBack });
  }

  /**
   * Notifies all listeners.
   * @param change - for example the new generation
   */
  emit(change: Change): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.logger.error(`a listener of ${this.event} failed: ${errorMessage(error)}`);
      }
    }
  }
}
