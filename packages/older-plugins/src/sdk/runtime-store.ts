import type { HostRuntime } from "@openclaw/plugin-sdk";

/** @deprecated Use `HostRuntime`. */
export type PluginRuntime = HostRuntime;

/** Storage for one value that the modules of a plugin share. */
export interface PluginRuntimeStore<Value> {
  setRuntime(value: Value): void;
  clearRuntime(): void;
  tryGetRuntime(): Value | null;
  /** Returns the value; throws when none was set. */
  getRuntime(): Value;
}

/** Key of a store; stores with the same key share one value. */
export type PluginRuntimeStoreOptions =
  | string
  | { readonly key: string; readonly errorMessage: string }
  | { readonly pluginId: string; readonly errorMessage: string };

const values = new Map<string, unknown>();

/**
 * Creates a store for the `api.runtime` of `register`, for modules that need it later.
 * @param options - key of the store, or the error message when no value was set
 * @deprecated Pass `api` to the functions that need it.
 */
export function createPluginRuntimeStore<Value>(
  options: PluginRuntimeStoreOptions,
): PluginRuntimeStore<Value> {
  const { key, errorMessage } = described(options);
  // The key determines the type of the value, which the map cannot express.
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
