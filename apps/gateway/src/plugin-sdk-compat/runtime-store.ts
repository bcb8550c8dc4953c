import type { HostRuntime } from "@openclaw/plugin-sdk";

/** @deprecated Use `HostRuntime`. */
export type PluginRuntime = HostRuntime;

/** A place for one value that a plugin's modules share. */
export interface PluginRuntimeStore<Value> {
  setRuntime(value: Value): void;
  clearRuntime(): void;
  tryGetRuntime(): Value | null;
  /** Throws when nothing was set. */
  getRuntime(): Value;
}

/** What names a store; those of one key are one. */
export type PluginRuntimeStoreOptions =
  | string
  | { readonly key: string; readonly errorMessage: string }
  | { readonly pluginId: string; readonly errorMessage: string };

const values = new Map<string, unknown>();

/**
 * Keeps the `api.runtime` that `register` is given for the modules that need it later.
 * @param options - the key of the store, or the message of the error when nothing was set
 * @deprecated Pass `api` to the functions that need it.
 */
export function createPluginRuntimeStore<Value>(
  options: PluginRuntimeStoreOptions,
): PluginRuntimeStore<Value> {
  const { key, errorMessage } = described(options);
  // The key says which type of value is kept, which the map cannot know.
  const current = () => (values.get(key) ?? null) as Value | null;
  return {
    setRuntime: (value) => {
      values.set(key, value);
    },
    clearRuntime: () => {
      values.delete(key);
    },
    tryGetRuntime: current,
    getRuntime() {
      const value = current();
      if (value === null) throw new Error(errorMessage);
      return value;
    },
  };
}

function described(options: PluginRuntimeStoreOptions) {
  if (typeof options === "string") return { key: options, errorMessage: options };
  const { errorMessage } = options;
  return { errorMessage, key: "key" in options ? options.key : `plugin ${options.pluginId}` };
}
