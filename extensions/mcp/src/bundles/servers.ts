import { mkdir } from "node:fs/promises";
import type { Logger } from "@openclaw/plugin-sdk";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { DeclaredServers } from "@openclaw/plugin-sdk/services";
import { McpServer, type ServerDependencies } from "../server/server.js";
import type { RefusedEntry } from "../settings.js";
import { readBundleServers } from "./entries.js";

/** Dependencies of the servers of bundles. */
export interface BundleDependencies {
  /** Returns the servers of the bundles that are enabled now. */
  readonly declared: () => readonly DeclaredServers[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly server: ServerDependencies;
  readonly logger: Logger;
  /** Names that entries of the configuration have. */
  readonly taken: ReadonlySet<string>;
}

/** Servers of the bundles that are enabled. */
export class BundleServers {
  readonly #dependencies: BundleDependencies;
  #servers: ReadonlyMap<string, McpServer> = new Map();
  #refused: readonly RefusedEntry[] = [];
  /** Changes run one after another; absent before the first. */
  #work: Promise<void> | undefined;

  /** @param dependencies - bundles, and what servers need */
  constructor(dependencies: BundleDependencies) {
    this.#dependencies = dependencies;
  }

  get servers(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  /** Entries that are not used. */
  get refused(): readonly RefusedEntry[] {
    return this.#refused;
  }

  /** Reads the bundles if that was not done yet. */
  async load(): Promise<void> {
    await (this.#work ?? this.reload());
  }

  /** Reads the bundles again. A server whose entry is the same continues; the others end. */
  async reload(): Promise<void> {
    this.#work = (this.#work ?? Promise.resolve()).then(() => this.#replace());
    await this.#work;
  }

  async #replace(): Promise<void> {
    const { declared, environment, server, taken } = this.#dependencies;
    const before = this.#servers;
    const next = new Map<string, McpServer>();
    const refused: RefusedEntry[] = [];
    const names = new Set(taken);
    for (const bundle of declared()) {
      if (JSON.stringify(bundle.servers).includes("PLUGIN_DATA")) await this.#makeFolder(bundle);
      for (const read of readBundleServers(bundle, environment, names)) {
        names.add(read.name);
        if ("problem" in read) {
          refused.push(read);
          continue;
        }
        const { key } = read.place;
        const known = before.get(key);
        const isSame = known?.settings.hash === read.hash && known.name === read.name;
        next.set(key, isSame ? known : new McpServer(read, server));
      }
    }
    this.#servers = next;
    this.#refused = refused;
    const kept = new Set(next.values());
    await Promise.all(
      [...before.values()].filter((each) => !kept.has(each)).map((each) => each.close()),
    );
  }

  async #makeFolder({ pluginId, dataDir }: DeclaredServers): Promise<void> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      const reason = errorMessage(error);
      this.#dependencies.logger.warn(`no folder for the data of plugin ${pluginId}: ${reason}`);
    });
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const { servers } = this;
    this.#servers = new Map();
    await Promise.all(servers.map((server) => server.close()));
  }
}
