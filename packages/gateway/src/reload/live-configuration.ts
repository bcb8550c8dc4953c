import type { LoadedConfiguration } from "../configuration/configuration.js";
import type { ConfigurationDocument } from "../configuration/document.js";
import type { ConfigurationPlace } from "../configuration/located-value.js";
import type { OpenClawConfiguration } from "../configuration/schema.js";

/**
 * The configuration in force. Its value is replaced as a whole by a reload; turns that run hold the services
 * that were made from the earlier one (GW-006).
 */
export class LiveConfiguration implements LoadedConfiguration {
  #current: LoadedConfiguration;

  /** @param initial - configuration of the start */
  constructor(initial: LoadedConfiguration) {
    this.#current = initial;
  }

  get value(): OpenClawConfiguration {
    return this.#current.value;
  }

  get file(): string | undefined {
    return this.#current.file;
  }

  get warnings(): LoadedConfiguration["warnings"] {
    return this.#current.warnings;
  }

  get document(): ConfigurationDocument | undefined {
    return this.#current.document;
  }

  locate(path: readonly (string | number)[]): ConfigurationPlace | undefined {
    return this.#current.locate(path);
  }

  /**
   * Replaces the configuration for everything that starts from now on.
   * @param next - valid configuration
   * @returns the earlier one
   */
  replace(next: LoadedConfiguration): LoadedConfiguration {
    const earlier = this.#current;
    this.#current = next;
    return earlier;
  }
}
