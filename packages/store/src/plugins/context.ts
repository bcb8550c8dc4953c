import type { UnitOfWork } from "../database/unit-of-work.js";
import { type PluginValues, PluginValueTable } from "./values.js";

/** Data of plugins in the database of the host. */
export interface PluginsContext {
  /** Values by key; {@link createPluginStores} gives each plugin a separate store. */
  readonly values: PluginValues;
}

/** The plugins context of a database or transaction. Its repository is created on first use. */
export class UnitPlugins implements PluginsContext {
  readonly #unit: UnitOfWork;
  #values: PluginValues | undefined;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  get values(): PluginValues {
    this.#values ??= new PluginValueTable(this.#unit);
    return this.#values;
  }
}
