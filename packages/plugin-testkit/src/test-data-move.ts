import type { PluginDataPort, PluginDataStore } from "@openclaw/plugin-sdk/store";
import { copyPluginData } from "@openclaw/store/upkeep";

/** Table of a plugin after {@link moveTestData}. */
export interface MovedTestTable {
  readonly table: string;
  /** Number of rows in the source. */
  readonly rows: number;
  /** True when the target has the same rows. */
  readonly isEqual: boolean;
}

/** Store of {@link openTestStore}. */
interface MovedStore {
  readonly store: PluginDataStore;
}

/**
 * Moves the data of a plugin from one store to another, as `openclaw db migrate` does, and compares both (SDK-642).
 * @param port - `data` of the plugin
 * @param stores - stores of {@link openTestStore}, usually of different engines; the target has no database of the plugin
 * @throws PluginDataNotCopiedError when the port fails
 */
export async function moveTestData(
  port: PluginDataPort,
  { from, to }: { readonly from: MovedStore; readonly to: MovedStore },
): Promise<readonly MovedTestTable[]> {
  const compared = await copyPluginData({
    pluginId: "tested",
    port,
    from: from.store,
    to: to.store,
  });
  return compared.map(({ table, source, isEqual }) => ({ table, rows: source.rows, isEqual }));
}
