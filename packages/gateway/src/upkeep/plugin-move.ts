import type { PluginDataOutcome } from "@openclaw/plugin-loader";
import type { PluginDataPort } from "@openclaw/plugin-sdk/store";
import {
  type CopyProgress,
  CopyRefusedError,
  comparePluginData,
  copyPluginData,
  countPluginData,
  PluginDatabases,
  type PluginTableComparison,
} from "@openclaw/store/upkeep";

/** Location of the databases of plugins: files in a folder, or schemas of a server. */
export type PluginDatabaseLocation =
  | { readonly folder: string; readonly files?: "sqlite" | "libsql" | undefined }
  | { readonly url: string };

/** Returns the data ports of plugins by id, or the reasons why they have none. */
export type DataPorts = (
  pluginIds: readonly string[],
) => Promise<ReadonlyMap<string, PluginDataOutcome>>;

/** Data of one plugin in a move. */
export interface MovedPlugin {
  readonly pluginId: string;
  /** Names of its databases. */
  readonly databases: readonly string[];
  /**
   * `moved`: it is in the target; `planned`: a dry run; `in-place`: source and target use the same files; `left-behind`:
   * the operator chose to leave it.
   */
  readonly outcome: "moved" | "planned" | "in-place" | "left-behind";
  /** Rows of each table of the source; empty for data that is not moved. */
  readonly counts: readonly { readonly table: string; readonly rows: number }[];
  /** Tables in both databases; empty for data that was not moved. */
  readonly tables: readonly PluginTableComparison[];
  /** Folder with databases of an earlier time that the target replaced. */
  readonly kept?: string | undefined;
}

/** Databases of plugins that are to be moved. */
export interface PluginMoveOptions {
  /** Name of the source, for messages. */
  readonly source: string;
  readonly from: PluginDatabaseLocation;
  readonly to: PluginDatabaseLocation;
  readonly ports: DataPorts;
  /** Plugins whose data is left behind. */
  readonly without: readonly string[];
  /** Called with each batch of rows. */
  readonly onProgress?: ((progress: PluginMoveProgress) => void) | undefined;
}

/** Progress of the copy of a table of a plugin. */
export interface PluginMoveProgress {
  readonly pluginId: string;
  readonly table: string;
  /** Number of its rows that were copied. */
  readonly copied: number;
}

/** Data of one plugin that is to be moved. */
interface PlannedPlugin {
  readonly pluginId: string;
  readonly databases: readonly string[];
  readonly port: PluginDataPort | "left-behind" | "in-place";
}

/**
 * Move of the databases of a host's plugins. It is planned before anything is copied: a plugin whose data cannot be moved
 * stops the move (SCALE-640).
 */
export class PluginMove {
  readonly #options: PluginMoveOptions;
  readonly #source: PluginDatabases;
  readonly #plan: readonly PlannedPlugin[];

  private constructor(
    options: PluginMoveOptions,
    source: PluginDatabases,
    plan: readonly PlannedPlugin[],
  ) {
    this.#options = options;
    this.#source = source;
    this.#plan = plan;
  }

  /**
   * Finds the plugins with data, and what moves it.
   * @param options - source, target and data ports
   * @throws CopyRefusedError that names every plugin whose data cannot be moved
   */
  static async plan(options: PluginMoveOptions): Promise<PluginMove> {
    const source = new PluginDatabases({ ...options.from, isReadOnly: true });
    try {
      return new PluginMove(options, source, await planOf(source, options));
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** Counts the rows of each plugin, without writing. */
  async count(): Promise<readonly MovedPlugin[]> {
    const counted: MovedPlugin[] = [];
    for (const { pluginId, databases, port } of this.#plan) {
      const facts = { pluginId, databases, tables: [] };
      if (typeof port === "string") {
        counted.push({ ...facts, outcome: port, counts: [] });
        continue;
      }
      const counts = await countPluginData({
        pluginId,
        port,
        from: storeOf(this.#source, pluginId),
      });
      counted.push({ ...facts, outcome: "planned", counts });
    }
    return counted;
  }

  /**
   * Checks that the target has no data of the plugins, before anything is copied. Files of a time before an earlier move do
   * not count: they are kept elsewhere. A server has no other place for them.
   * @param progress - parts that earlier attempts of the same copy have copied
   * @throws CopyRefusedError
   */
  async check(progress: Pick<CopyProgress, "phaseOf">): Promise<void> {
    const { to } = this.#options;
    if ("folder" in to) return;
    const target = new PluginDatabases({ ...to, isReadOnly: true });
    try {
      const there = new Set((await target.list()).map(({ pluginId }) => pluginId));
      for (const { pluginId, port } of this.#plan) {
        if (typeof port === "string" || !there.has(pluginId)) continue;
        if (progress.phaseOf(pluginId) !== undefined) continue;
        const counts = await countPluginData({ pluginId, port, from: storeOf(target, pluginId) });
        if (counts.every(({ rows }) => rows === 0)) continue;
        throw new CopyRefusedError(
          "the target",
          `it already has data of plugin "${pluginId}"`,
          "use an empty database, or another schema",
        );
      }
    } finally {
      await target.close();
    }
  }

  /**
   * Copies the data of each plugin and compares it. Data whose copy was interrupted is copied again from its beginning.
   * @param progress - parts that earlier attempts of the same copy have copied
   * @throws PluginDataNotCopiedError, CopyRefusedError
   */
  async copy(progress: CopyProgress): Promise<readonly MovedPlugin[]> {
    const target = new PluginDatabases(this.#options.to);
    try {
      const moved: MovedPlugin[] = [];
      for (const plugin of this.#plan) moved.push(await this.#copyOne(plugin, target, progress));
      return moved;
    } finally {
      await target.close();
    }
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#source.close();
  }

  async #copyOne(
    { pluginId, databases, port }: PlannedPlugin,
    target: PluginDatabases,
    progress: CopyProgress,
  ): Promise<MovedPlugin> {
    const facts = { pluginId, databases };
    if (typeof port === "string") return { ...facts, outcome: port, counts: [], tables: [] };
    const copy = {
      pluginId,
      port,
      from: storeOf(this.#source, pluginId),
      to: storeOf(target, pluginId),
    };
    const phase = progress.phaseOf(pluginId);
    if (phase === "complete") {
      const tables = await comparePluginData(copy);
      // A gateway may have run on the source since the interruption.
      if (areEqual(tables)) return moved(facts, tables);
    }
    const isThere = (await target.list()).some((found) => found.pluginId === pluginId);
    const kept = phase === undefined && isThere ? await target.setAside(pluginId) : undefined;
    await progress.note(pluginId, "copying");
    // An incomplete copy, or databases of a server that were found to be empty.
    if (isThere && kept === undefined) await target.remove(pluginId);
    const { onProgress } = this.#options;
    const tables = await copyPluginData({
      ...copy,
      onProgress: (each) => onProgress?.({ pluginId, ...each }),
    });
    if (areEqual(tables)) await progress.note(pluginId, "complete");
    return { ...moved(facts, tables), kept };
  }
}

async function planOf(
  source: PluginDatabases,
  { from, to, ports, without, source: name }: PluginMoveOptions,
): Promise<readonly PlannedPlugin[]> {
  const found = new Map<string, string[]>();
  for (const { pluginId, name: database } of await source.list()) {
    found.set(pluginId, [...(found.get(pluginId) ?? []), database]);
  }
  const unknown = without.find((pluginId) => !found.has(pluginId));
  if (unknown !== undefined) {
    const known = [...found.keys()].map((id) => `"${id}"`).join(", ");
    throw new CopyRefusedError(
      name,
      `--without names "${unknown}", which has no database`,
      known === "" ? "leave the option out" : `plugins with databases: ${known}`,
    );
  }
  if ("folder" in from && "folder" in to && from.folder === to.folder) {
    return [...found].map(([pluginId, databases]) => ({ pluginId, databases, port: "in-place" }));
  }
  const moving = [...found.keys()].filter((pluginId) => !without.includes(pluginId));
  const outcomes = await ports(moving);
  const stopping: { readonly pluginId: string; readonly reason: string }[] = [];
  const plan: PlannedPlugin[] = [];
  for (const [pluginId, databases] of found) {
    if (without.includes(pluginId)) {
      plan.push({ pluginId, databases, port: "left-behind" });
      continue;
    }
    const outcome = outcomes.get(pluginId) ?? { reason: "it is not installed" };
    const reason = "reason" in outcome ? outcome.reason : uncovered(databases, outcome.port);
    if (reason !== undefined) stopping.push({ pluginId, reason });
    else if ("port" in outcome) plan.push({ pluginId, databases, port: outcome.port });
  }
  if (stopping.length === 0) return plan;
  const list = stopping.map(({ pluginId, reason }) => `plugin "${pluginId}" (${reason})`);
  const options = stopping.map(({ pluginId }) => `--without ${pluginId}`).join(" ");
  throw new CopyRefusedError(
    name,
    `it has data that cannot be moved, of ${list.join(", ")}`,
    `install a version with a data port, or add \`${options}\` to leave this data behind`,
  );
}

function moved(
  facts: Pick<MovedPlugin, "pluginId" | "databases">,
  tables: readonly PluginTableComparison[],
): MovedPlugin {
  const counts = tables.map(({ table, source: { rows } }) => ({ table, rows }));
  return { ...facts, outcome: "moved", counts, tables };
}

function areEqual(tables: readonly PluginTableComparison[]): boolean {
  return tables.every(({ isEqual }) => isEqual);
}

function uncovered(databases: readonly string[], port: PluginDataPort): string | undefined {
  const other = databases.find((name) => !port.databases.includes(name));
  return other === undefined ? undefined : `its data port does not move the database "${other}"`;
}

function storeOf(databases: PluginDatabases, pluginId: string) {
  return {
    database: (options: Parameters<PluginDatabases["database"]>[1]) =>
      databases.database(pluginId, options),
  };
}
