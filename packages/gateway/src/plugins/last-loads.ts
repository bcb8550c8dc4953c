import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@openclaw/foundation";
import { removeFile, writePrivateFile } from "@openclaw/foundation/file-replacement";
import { olderSectionSchema, type PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";

/** Last load of a plugin. */
export interface LastLoad {
  readonly rootDir: string;
  /** Time of the load, in milliseconds since the epoch. */
  readonly at: number;
  /** Absent when the plugin was loaded. */
  readonly failure?: {
    readonly message: string;
    /** Next step. */
    readonly hint?: string;
  };
  /** Notice of a plugin that runs without parts of the SDK that this host lacks. */
  readonly limited?: PluginDiagnostic;
  /** Schemas of the sections of its channels, by channel, which only its code has. */
  readonly channelSettings?: Readonly<Record<string, unknown>>;
}

/** Last loads by plugin ID; bundled plugins are left out. */
export type LastLoads = Readonly<Record<string, LastLoad>>;

/**
 * Stores which plugins were loaded and which failed, so that a list without a running gateway shows them as broken although
 * it runs no plugin code (PLUG-059).
 */
export class LoadLog {
  readonly #stateDir: string;
  /** Generation of each load that was stored. */
  readonly #stored = new Map<string, { readonly generation: number; readonly load: LastLoad }>();

  /** @param stateDir - state folder */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /**
   * Stores the loads of a generation; a plugin that it carried over keeps the time of its load.
   * @param generation - the loaded plugins
   */
  store(generation: PluginGeneration): void {
    const { number, plugins } = generation;
    const loads: Record<string, LastLoad> = {};
    for (const record of plugins) {
      if (record.status === "disabled" || record.origin === "bundled") continue;
      const { generation: loadedIn = number } = record;
      const known = this.#stored.get(record.id);
      const load =
        known?.generation === loadedIn && record.status === "loaded"
          ? known.load
          : loadOf(record, generation);
      this.#stored.set(record.id, { generation: loadedIn, load });
      loads[record.id] = load;
    }
    this.#write(loads);
  }

  #write(loads: LastLoads): void {
    const file = fileOf(this.#stateDir);
    if (Object.keys(loads).length === 0) {
      removeFile(file);
      return;
    }
    writePrivateFile(file, JSON.stringify(loads));
  }
}

function loadOf(record: PluginRecord, { diagnostics, channels }: PluginGeneration): LastLoad {
  const { id, rootDir } = record;
  const at = Date.now();
  if (record.status !== "error") {
    const limited = diagnostics.find(
      ({ pluginId, code }) => pluginId === id && code === "sdk-parts-missing",
    );
    const own = channels.filter(({ pluginId }) => pluginId === id);
    return { rootDir, at, ...defined({ limited, channelSettings: sectionSchemas(own) }) };
  }
  const { code, message } = record.error;
  const hint = diagnostics.find((each) => each.pluginId === id && each.code === code)?.hint;
  return { rootDir, at, failure: { message, ...defined({ hint }) } };
}

/** Returns the schemas that channels in the form of older hosts have as `configSchema`. */
function sectionSchemas(channels: PluginGeneration["channels"]) {
  const schemas = channels.flatMap(({ id, channel }) => {
    try {
      const config: unknown = "configSchema" in channel ? channel.configSchema : undefined;
      const schema = olderSectionSchema(config);
      return schema === undefined ? [] : [[id, JSON.parse(JSON.stringify(schema))] as const];
    } catch {
      // A schema that cannot be read must not fail the load; the plugin checks its settings itself.
      return [];
    }
  });
  return schemas.length === 0 ? undefined : Object.fromEntries(schemas);
}

/** Returns the last loads of plugins; none when they cannot be read. */
export function lastLoads(stateDir: string): LastLoads {
  try {
    return JSON.parse(readFileSync(fileOf(stateDir), "utf8")) as LastLoads;
  } catch {
    return {};
  }
}

/**
 * Returns true when a file of a plugin was changed after a time. Dependencies are not looked at: they are many, and an
 * install checks them.
 * @param at - milliseconds since the epoch
 * @param folder - absolute path of the plugin's folder
 */
export function changedSince(at: number, folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return lstatSync(path).ctimeMs > at;
    const isOwn = entry.name !== "node_modules" && !entry.name.startsWith(".");
    return entry.isDirectory() && isOwn && changedSince(at, path);
  });
}

function fileOf(stateDir: string): string {
  return join(stateDir, "plugin-loads.json");
}
