import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { HostRuntime, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";

/** Export of a module next to the entry point of a plugin. */
export interface ModuleExport {
  /** Path from the entry point. */
  readonly specifier: string;
  /** Name of the export; the default export when absent. */
  readonly exportName?: string;
}

/** Parts of a channel plugin that are loaded when they are needed. */
export interface BundledChannelEntryOptions {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `import.meta.url` of the entry point. */
  readonly importMetaUrl: string;
  readonly plugin: ModuleExport;
  readonly runtime?: ModuleExport;
  readonly secrets?: ModuleExport;
  readonly configSchema?: object | (() => object);
  readonly registerCliMetadata?: (api: OpenClawPluginApi) => unknown;
  readonly registerFull?: (api: OpenClawPluginApi) => unknown;
  readonly registerCapabilities?: (api: OpenClawPluginApi) => unknown;
}

/**
 * Creates the entry of a plugin with one channel, whose parts are in modules next to it.
 * @param options - modules of the channel and of its runtime
 * @deprecated Use `defineChannelPluginEntry` of "openclaw/plugin-sdk/channel-core".
 */
export function defineBundledChannelEntry(options: BundledChannelEntryOptions) {
  const { id, name, description, importMetaUrl, plugin, runtime } = options;
  const loadChannelPlugin = () => loadBundledEntryExportSync(importMetaUrl, plugin);
  return {
    kind: "bundled-channel-entry",
    ...{ id, name, description },
    configSchema: options.configSchema ?? { type: "object", additionalProperties: false },
    loadChannelPlugin,
    async register(api: OpenClawPluginApi): Promise<void> {
      if (runtime !== undefined) {
        const set = loadBundledEntryExportSync(importMetaUrl, runtime);
        if (typeof set === "function") Reflect.apply(set, undefined, [api.runtime]);
      }
      const channel = loadChannelPlugin();
      if (!isAdapterChannel(channel)) {
        throw new Error(`${plugin.specifier} of plugin "${id}" does not export a channel`);
      }
      api.registerChannel({ plugin: channel });
      await options.registerCliMetadata?.(api);
      await options.registerCapabilities?.(api);
      await options.registerFull?.(api);
    },
    setChannelRuntime(value: HostRuntime): void {
      if (runtime === undefined) return;
      const set = loadBundledEntryExportSync(importMetaUrl, runtime);
      if (typeof set === "function") Reflect.apply(set, undefined, [value]);
    },
  };
}

/**
 * Creates the module that older hosts loaded during channel setup.
 * @param options - modules of the channel
 * @deprecated This host loads only the plugin's entry point.
 */
export function defineBundledChannelSetupEntry(
  options: Pick<BundledChannelEntryOptions, "importMetaUrl" | "plugin">,
) {
  const { importMetaUrl, plugin } = options;
  return {
    kind: "bundled-channel-setup-entry",
    loadSetupPlugin: () => loadBundledEntryExportSync(importMetaUrl, plugin),
  };
}

/**
 * Loads an export of a module next to the entry point of a plugin.
 * @param importMetaUrl - `import.meta.url` of the entry point
 * @param reference - module and name of the export
 * @throws Error when the module does not export it
 * @deprecated Import the module.
 */
export function loadBundledEntryExportSync(
  importMetaUrl: string,
  { specifier, exportName = "default" }: ModuleExport,
): unknown {
  const require = createRequire(importMetaUrl);
  const file = fileURLToPath(new URL(specifier, withoutQuery(importMetaUrl)));
  const loaded: unknown = require(file);
  const found = Reflect.get(Object(loaded), exportName);
  if (found === undefined) {
    throw new Error(`${pathToFileURL(file).href} does not export ${exportName}`);
  }
  return found;
}

/** Modules of a reloaded plugin have a query. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}

function isAdapterChannel(value: unknown): value is AdapterChannel {
  return typeof value === "object" && value !== null && "id" in value;
}
