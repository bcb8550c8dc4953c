import { nearestName } from "@openclaw/foundation";
import { elsewhereInSdk } from "../loading/sdk-modules.js";
import { inertPart } from "./inert-part.js";
import { type MissingPartUse, missingPart } from "./missing-part.js";
import { SET_UP_NAMES } from "./set-up-names.js";

/** Import of an entry point of the SDK by a module of a plugin. */
export interface SdkUse {
  readonly specifier: string;
  /** Names that the module takes. */
  readonly names: readonly string[];
  /** The importing module, as the path below the plugin's folder. */
  readonly importer: string;
}

/** Parts of the SDK that one load of a plugin imports and this host lacks. */
export class SdkGaps {
  readonly #pluginId: string;
  readonly #values = new Map<string, unknown>();
  readonly #specifiers = new Set<string>();
  #loading = true;
  /** Receives each use that fails. */
  onUse: (use: MissingPartUse) => void = () => {};

  /** @param pluginId - the plugin */
  constructor(pluginId: string) {
    this.#pluginId = pluginId;
  }

  /** True when the plugin imported no part that this host lacks, and none without effect. */
  get isEmpty(): boolean {
    return this.#specifiers.size === 0;
  }

  /** Ends the evaluation of the plugin's modules: from now on a call of a missing part throws. */
  settle(): void {
    this.#loading = false;
  }

  /**
   * Returns values for names that an entry point lacks: from another entry point that has the name, else the value of a
   * missing part, the same one for every import.
   * @param use - import of the entry point
   * @param names - names that the entry point lacks
   * @param offered - names that the entry point has
   */
  valuesOf(
    use: SdkUse,
    names: readonly string[],
    offered: readonly string[],
  ): Readonly<Record<string, unknown>> {
    if (names.length === 0) this.#specifiers.add(use.specifier);
    return Object.fromEntries(names.map((name) => [name, this.#valueOf(use, name, offered)]));
  }

  #valueOf({ specifier, importer }: SdkUse, name: string, offered: readonly string[]): unknown {
    const found = elsewhereInSdk(name);
    if (found !== undefined) return found.value;
    this.#specifiers.add(specifier);
    if (SET_UP_NAMES.has(name)) return this.#inertOf(name);
    const key = `${specifier} ${name}`;
    const value =
      this.#values.get(key) ??
      missingPart(
        {
          ...{ pluginId: this.#pluginId, specifier, name, importer },
          nearest: nearestName(name, offered),
        },
        () => this.#loading,
        (use) => this.onUse(use),
      );
    this.#values.set(key, value);
    return value;
  }

  /** The same function is imported from several entry points. */
  #inertOf(name: string): unknown {
    const value = this.#values.get(name) ?? inertPart(name);
    this.#values.set(name, value);
    return value;
  }
}
