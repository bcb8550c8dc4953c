import type { PlannedPlugin } from "@openclaw/plugin-discovery";
import { type ImportOptions, type ImportOutcome, importPlugin } from "./plugin-import.js";

/** Imports the code of plugins of one kind: modules of the process, or what another loader runs. */
export interface PluginLoader {
  /** Returns true for a plugin that this loader imports. */
  accepts(plan: PlannedPlugin): boolean;
  /**
   * Loads the code of a plugin, without registering anything. A failure affects only this plugin.
   * @param options - evaluation of its code
   */
  import(plan: PlannedPlugin, options: ImportOptions): Promise<readonly ImportOutcome[]>;
  /** Ends what it started, such as processes; none of its plugins is used afterwards. */
  dispose(): Promise<void>;
}

/** Imports modules into the process, of every plugin. */
const moduleLoader: PluginLoader = {
  accepts: () => true,
  import: importPlugin,
  async dispose() {},
};

/** Loaders of a host, of which the first one that accepts a plugin imports it. */
export class PluginLoaders {
  readonly #loaders: readonly PluginLoader[];

  /** @param own - loaders that are asked before the one of modules */
  constructor(own: readonly PluginLoader[] = []) {
    this.#loaders = [...own, moduleLoader];
  }

  /**
   * Loads the code of a plugin with its loader (PLUG-730).
   * @param options - evaluation of its code
   */
  async import(plan: PlannedPlugin, options: ImportOptions): Promise<readonly ImportOutcome[]> {
    const loader = this.#loaders.find((one) => one.accepts(plan)) ?? moduleLoader;
    return await loader.import(plan, options);
  }

  /** Ends what the loaders started. */
  async dispose(): Promise<void> {
    await Promise.all(this.#loaders.map((loader) => loader.dispose()));
  }
}
