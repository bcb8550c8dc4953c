import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConfigurationChange,
  changeConfiguration,
  loadConfiguration,
} from "@openclaw/configuration";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createFilesCheck, installFolder, Marketplaces } from "@openclaw/plugin-install";
import { createPluginRuntime, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { NetworkClient } from "@openclaw/safety";
import { createPluginStores, openStore, type PluginStores } from "@openclaw/store";
import { onTestFinished } from "vitest";
import { createPluginMethods } from "../../src/methods/plugins.js";
import { createMarketplaceMethods } from "../../src/plugins/marketplace-methods.js";
import { openStateFolder, type StateFolder } from "../../src/state/folder.js";

/** Plugins of a state folder, and the methods that change them. */
export interface PluginHost {
  readonly folder: TemporaryFolder;
  readonly state: StateFolder;
  readonly plugins: PluginRuntime;
  /** Stores of plugins, in memory. */
  readonly pluginStores: PluginStores;
  readonly methods: ReturnType<typeof createPluginMethods>;
  readonly marketplaces: ReturnType<typeof createMarketplaceMethods>;
  readonly configurationFile: string;
  /** Logged lines. */
  readonly lines: readonly string[];
  /** Returns the current text of the configuration file. */
  configuration(): string;
  /** Returns the path of an installed file. */
  installed(pluginId: string, file?: string): string;
}

/** Options of a test host for plugins. */
export interface PluginHostOptions {
  /** Text of `openclaw.json`; by default there is none. */
  readonly configuration?: string;
  /** Registers hooks of a bundled plugin `watcher`. */
  readonly watcher?: (api: OpenClawPluginApi) => void;
  /** Writes plugins, and returns their folders, as those that are bundled with the product. */
  readonly bundled?: (folder: TemporaryFolder) => readonly string[];
  /** Writes plugins, and returns their paths, as of `--plugin`. */
  readonly named?: (folder: TemporaryFolder) => readonly string[];
}

/** Creates a host with real plugins on disk until the end of the test. */
export async function createPluginHost(options: PluginHostOptions = {}): Promise<PluginHost> {
  const { configuration, watcher, named } = options;
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  if (configuration !== undefined) folder.write({ "openclaw.json": configuration });
  const configurationFile = join(folder.path, "openclaw.json");
  const state = openStateFolder(join(folder.path, "state"));
  const lines: string[] = [];
  const write = (message: string) => void lines.push(message);
  const logger = { debug: write, info: write, warn: write, error: write };
  const plugins = createPluginRuntime({
    config: (await loadConfiguration(configurationFile)).value,
    logger,
    stateDir: state.dir,
    checkFiles: createFilesCheck(state),
    bundled: options.bundled?.(folder) ?? [],
    extraPaths: named?.(folder) ?? [],
    inline: watcher === undefined ? [] : [{ id: "watcher", register: watcher }],
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  const now = () => 1_700_000_000_000;
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const pluginStores = createPluginStores({ store });
  onTestFinished(() => pluginStores.close());
  const change = async (changes: readonly ConfigurationChange[]) =>
    (await changeConfiguration(configurationFile, changes)).value;
  const readConfiguration = async () => (await loadConfiguration(configurationFile)).value;
  const allowHosts = (await readConfiguration()).tools?.http?.allowHosts ?? [];
  const network = new NetworkClient({ allowHosts });
  onTestFinished(() => network.close());
  const marketplaces = new Marketplaces({ state, network, now });
  const places = { state, logger, readConfiguration, changeConfiguration: change, now };
  return {
    folder,
    state,
    plugins,
    pluginStores,
    methods: createPluginMethods({ plugins, pluginStores, marketplaces, network, ...places }),
    marketplaces: createMarketplaceMethods({ marketplaces, state }),
    configurationFile,
    lines,
    configuration: () =>
      existsSync(configurationFile) ? readFileSync(configurationFile, "utf8") : "",
    installed: (pluginId, file = "") => join(installFolder(state, pluginId), file),
  };
}
