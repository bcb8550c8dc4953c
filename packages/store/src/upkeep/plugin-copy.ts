import { errorMessage } from "@openclaw/foundation";
import type { PluginDataBatch, PluginDataPort, PluginDataStore } from "@openclaw/plugin-sdk/store";
import { PluginDataNotCopiedError } from "../errors.js";
import { ContentSum, haveSameRows, type TableContent } from "./table-content.js";

/** Data of a plugin, and what moves it. */
export interface PluginDataCopy {
  readonly pluginId: string;
  readonly port: PluginDataPort;
  readonly from: PluginDataStore;
  readonly to: PluginDataStore;
  /**
   * Called with each batch of rows.
   * @param progress - table, and number of its rows that were read
   */
  onProgress?(progress: { readonly table: string; readonly copied: number }): void;
}

/** A table of a plugin in both databases. */
export interface PluginTableComparison {
  readonly table: string;
  readonly source: TableContent;
  readonly target: TableContent;
  readonly isEqual: boolean;
}

const EMPTY = new ContentSum().content();

/**
 * Copies the data of a plugin into new databases, then reads both and compares them (SDK-640). Nothing else may use
 * either.
 * @param copy - the plugin, source and target
 * @throws PluginDataNotCopiedError
 */
export async function copyPluginData(
  copy: PluginDataCopy,
): Promise<readonly PluginTableComparison[]> {
  const { port, to, from, pluginId } = copy;
  await told(pluginId, () => port.importData(to, followed(port.exportData(from), copy)));
  return await comparePluginData(copy);
}

/**
 * Compares the data of a plugin in two stores.
 * @param copy - the plugin, source and target
 * @throws PluginDataNotCopiedError when one of them cannot be read
 */
export async function comparePluginData({
  pluginId,
  port,
  from,
  to,
}: Omit<PluginDataCopy, "onProgress">): Promise<readonly PluginTableComparison[]> {
  const contents = await told(pluginId, () => contentsOf(port.exportData(from)));
  const copies = await told(pluginId, () => contentsOf(port.exportData(to)));
  const tables = new Set([...contents.keys(), ...copies.keys()]);
  return [...tables].map((table) => {
    const source = contents.get(table) ?? EMPTY;
    const target = copies.get(table) ?? EMPTY;
    return { table, source, target, isEqual: haveSameRows(source, target) };
  });
}

/**
 * Returns the number of rows of each table of a plugin.
 * @param data - the plugin and its databases
 * @throws PluginDataNotCopiedError when they cannot be read
 */
export async function countPluginData({
  pluginId,
  port,
  from,
}: Pick<PluginDataCopy, "pluginId" | "port" | "from">): Promise<
  readonly { readonly table: string; readonly rows: number }[]
> {
  const contents = await told(pluginId, () => contentsOf(port.exportData(from)));
  return [...contents].map(([table, { rows }]) => ({ table, rows }));
}

async function* followed(
  batches: AsyncIterable<PluginDataBatch>,
  { onProgress }: PluginDataCopy,
): AsyncGenerator<PluginDataBatch> {
  const copied = new Map<string, number>();
  for await (const batch of batches) {
    yield batch;
    const rows = (copied.get(batch.table) ?? 0) + batch.rows.length;
    copied.set(batch.table, rows);
    onProgress?.({ table: batch.table, copied: rows });
  }
}

async function contentsOf(
  batches: AsyncIterable<PluginDataBatch>,
): Promise<ReadonlyMap<string, TableContent>> {
  const sums = new Map<string, ContentSum>();
  for await (const { table, rows } of batches) {
    const sum = sums.get(table) ?? new ContentSum();
    sum.add(rows);
    sums.set(table, sum);
  }
  return new Map([...sums].map(([table, sum]) => [table, sum.content()]));
}

async function told<Result>(pluginId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new PluginDataNotCopiedError(pluginId, errorMessage(error), { cause: error });
  }
}
