import type { PluginStore, SqlRow } from "./plugin-store.js";

/** Databases of a plugin, of the host's current database or of the one that it moves to. */
export type PluginDataStore = Pick<PluginStore, "database">;

/** Some rows of a table, in a form that is the same on every database engine. */
export interface PluginDataBatch {
  /** Name of the table, or another name that the importing side knows. */
  readonly table: string;
  readonly rows: readonly SqlRow[];
}

/**
 * Moves the data of a plugin when its host moves to another database engine (SDK-640). The host reads the data of the
 * source, writes it to the target, reads it there again, and compares counts and checksums per table. Values by key and
 * secrets are data of the host and need no port.
 */
export interface PluginDataPort {
  /** Names of the databases that it moves. A plugin with another database is not moved. */
  readonly databases: readonly string[];
  /**
   * Reads all data, in an order in which it can be written.
   * @param store - databases that are only read; one that does not exist is empty
   */
  exportData(store: PluginDataStore): AsyncIterable<PluginDataBatch>;
  /**
   * Writes all data into new databases. After an interruption they are deleted, and it is called again.
   * @param store - databases of the target
   * @param batches - result of `exportData`
   */
  importData(store: PluginDataStore, batches: AsyncIterable<PluginDataBatch>): Promise<void>;
}
