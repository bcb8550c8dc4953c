import type {
  ConfigurationDocument,
  ConfigurationPlace,
  LoadedConfiguration,
  OpenClawConfiguration,
} from "@openclaw/configuration";

/**
 * The configuration in force. Its value is replaced as a whole by a reload; turns that run hold the services
 * that were made from the earlier one (GW-006).
 */
export class LiveConfiguration implements LoadedConfiguration {
  #current: LoadedConfiguration;
  #resolved: OpenClawConfiguration | undefined;

  /** @param initial - configuration of the start */
  constructor(initial: LoadedConfiguration) {
    this.#current = initial;
  }

  /** Configuration in force, which a reload does not change. */
  get current(): LoadedConfiguration {
    return this.#current;
  }

  get value(): OpenClawConfiguration {
    return this.#current.value;
  }

  /** The value with stored secrets, for the parts that use them. Never show or store it. */
  get resolved(): OpenClawConfiguration {
    return this.#resolved ?? this.value;
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
   * @param resolved - its value with stored secrets; the value itself when absent
   * @returns function that puts the earlier one back
   */
  replace(next: LoadedConfiguration, resolved?: OpenClawConfiguration): () => void {
    const earlier = { current: this.#current, resolved: this.#resolved };
    this.#current = next;
    this.#resolved = resolved;
    return () => {
      this.#current = earlier.current;
      this.#resolved = earlier.resolved;
    };
  }
}
