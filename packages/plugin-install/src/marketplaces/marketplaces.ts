import { mkdir, mkdtemp, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorMessage, Mutex, nearestName } from "@openclaw/foundation";
import { textsOf } from "@openclaw/plugin-discovery";
import { NetworkDeniedError } from "@openclaw/safety";
import semver from "semver";
import {
  MarketplaceConflictError,
  MarketplaceNotFoundError,
  MarketplacePluginError,
  MarketplacePluginNotFoundError,
  MarketplaceRedirectError,
  MarketplaceUnusableError,
} from "../errors.js";
import { checkOutRepository } from "../git-source.js";
import type { InstallFolders } from "../install-records.js";
import type { StageableSpecifier } from "../source.js";
import { stagePrefix } from "../staging-sweep.js";
import { type OpenMarketplace, sourceOfEntry } from "./entry-source.js";
import type { ListedPlugin } from "./listed-plugin.js";
import {
  isMarketplaceName,
  MARKETPLACE_FILE,
  type MarketplaceEntry,
  marketplaceFolder,
  readMarketplace,
} from "./marketplace-file.js";
import { type MarketplaceRecord, marketplaceRecords } from "./records.js";
import { fetchWithinOrigin, type NetworkPort } from "./repository-url.js";

/** Dependencies of {@link Marketplaces}. */
export interface MarketplaceDependencies {
  readonly state: InstallFolders;
  readonly network: NetworkPort;
  now(): number;
}

/** Plugin of a marketplace that is to be installed. */
export interface FoundPlugin extends ListedPlugin {
  readonly source: StageableSpecifier;
}

/** Source of a marketplace before it is read. */
type MarketplaceSource = Pick<MarketplaceRecord, "kind" | "source">;

const SPECIFIER = /^([a-z0-9][a-z0-9._-]{0,63})@([^/@:#]+)$/i;

/** Marketplaces that the operator added (EXT-544). Nothing of them is executed. */
export class Marketplaces {
  readonly #records: ReturnType<typeof marketplaceRecords>;
  readonly #dependencies: MarketplaceDependencies;
  readonly #mutex = new Mutex();

  /** @param dependencies - state folder, network check and clock */
  constructor(dependencies: MarketplaceDependencies) {
    this.#dependencies = dependencies;
    this.#records = marketplaceRecords(dependencies.state);
  }

  /** Returns all marketplaces, each with its contents or the error of reading them. */
  async list(): Promise<readonly (OpenMarketplace | UnreadMarketplace)[]> {
    const records = await this.#records.list();
    return await Promise.all(
      records.map(async (record) => {
        try {
          return await this.#open(record);
        } catch (error) {
          return { record, problem: errorMessage(error) };
        }
      }),
    );
  }

  /**
   * Adds a marketplace, or fetches it again when it was added from the same source.
   * @param text - folder, git URL, `owner/name` of GitHub, or https URL of a `marketplace.json`
   * @param cwd - base folder of relative paths
   * @throws MarketplaceUnusableError, MarketplaceConflictError, MarketplaceRedirectError, NetworkDeniedError,
   * PluginSourceError
   */
  add(text: string, cwd: string): Promise<OpenMarketplace> {
    return this.#mutex.run(async () => this.#fetch(await sourceOf(text, cwd)));
  }

  /**
   * Fetches a marketplace again.
   * @param name - name of the marketplace
   * @throws MarketplaceNotFoundError, and the errors of {@link add}
   */
  update(name: string): Promise<{ before: OpenMarketplace | undefined; after: OpenMarketplace }> {
    return this.#mutex.run(async () => {
      const record = await this.#find(name);
      const before = await this.#open(record).catch(() => undefined);
      return { before, after: await this.#fetch(record, name) };
    });
  }

  /**
   * Removes a marketplace. Its installed plugins stay.
   * @param name - name of the marketplace
   * @throws MarketplaceNotFoundError
   */
  remove(name: string): Promise<void> {
    return this.#mutex.run(async () => this.#records.delete((await this.#find(name)).name));
  }

  /**
   * Finds the plugin of a specifier `<plugin>@<marketplace>`.
   * @param specifier - text of the operator
   * @returns undefined for other text, such as a package with a version
   * @throws MarketplaceNotFoundError, MarketplacePluginNotFoundError, MarketplacePluginError
   */
  async find(specifier: string): Promise<FoundPlugin | undefined> {
    const [, plugin = "", name = ""] = SPECIFIER.exec(specifier) ?? [];
    if (plugin === "" || !isMarketplaceName(name) || semver.validRange(name) !== null) {
      return undefined;
    }
    const market = await this.#open(await this.#find(name, plugin));
    const entry = market.file.plugins.find((each) => each.name === plugin);
    if (entry === undefined) {
      const names = market.file.plugins.map((each) => each.name);
      throw new MarketplacePluginNotFoundError(plugin, name, nearestName(plugin, names));
    }
    return { specifier, marketplace: name, entry, source: sourceOfEntry(market, entry) };
  }

  /**
   * Checks that a marketplace was added.
   * @param name - name of the marketplace
   * @throws MarketplaceNotFoundError
   */
  async assertKnown(name: string): Promise<void> {
    await this.#find(name);
  }

  /** Returns the folders of the plugins that are on disk, with the places of their skills relative to them. */
  async folders(): Promise<
    readonly { specifier: string; folder: string; skills: readonly string[] }[]
  > {
    return (await this.list()).flatMap((market) => {
      if (!("file" in market)) return [];
      return market.file.plugins.flatMap((entry) => {
        const folder = folderOnDisk(market, entry);
        if (folder === undefined) return [];
        const declared = textsOf(entry.components.skills);
        const skills = entry.strict ? ["skills", ...declared] : declared;
        return {
          ...{ specifier: `${entry.name}@${market.file.name}`, folder },
          skills: skills.length === 0 ? ["skills"] : skills,
        };
      });
    });
  }

  async #find(name: string, plugin?: string): Promise<MarketplaceRecord> {
    const records = await this.#records.list();
    const found = records.find((record) => record.name === name);
    if (found !== undefined) return found;
    const names = records.map((record) => record.name);
    throw new MarketplaceNotFoundError(name, nearestName(name, names), plugin);
  }

  async #open(record: MarketplaceRecord): Promise<OpenMarketplace> {
    const place = record.kind === "folder" ? record.source : this.#records.folder(record.name);
    const folder = await realpath(place).catch(() => undefined);
    if (folder === undefined) {
      throw new MarketplaceUnusableError(
        record.source,
        `the folder ${place} does not exist`,
        `restore it, or remove the marketplace with \`openclaw plugins marketplace remove ${record.name}\``,
      );
    }
    return { record, folder, file: readMarketplace(folder, record.source) };
  }

  /** Reads a source completely before anything that is stored changes. */
  async #fetch(source: MarketplaceSource, expected?: string): Promise<OpenMarketplace> {
    if (source.kind === "folder") return this.#keep(source, source.source, undefined, expected);
    const staging = join(this.#dependencies.state.dir, "staging");
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const work = await mkdtemp(join(staging, stagePrefix()));
    try {
      const fetched = join(work, "marketplace");
      const commit =
        source.kind === "git"
          ? await checkOutRepository(source.source, fetched, source.source, this.#dependencies)
          : await this.#download(source.source, fetched);
      return await this.#keep(source, fetched, commit, expected);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #keep(
    { kind, source }: MarketplaceSource,
    fetched: string,
    commit: string | undefined,
    expected: string | undefined,
  ): Promise<OpenMarketplace> {
    const { name } = readMarketplace(await realpath(fetched), source);
    if (expected !== undefined && name !== expected) {
      throw new MarketplaceConflictError(
        expected,
        `its source now has the name "${name}"`,
        "ask its owner for the reason; remove it and add it again if you trust the new name",
      );
    }
    const other = (await this.#records.list()).find((each) => each.name === name);
    if (other !== undefined && other.source !== source) {
      throw new MarketplaceConflictError(
        name,
        `it was added from ${other.source}`,
        `remove that one first with \`openclaw plugins marketplace remove ${name}\``,
      );
    }
    if (kind !== "folder") await replaceFolder(fetched, this.#records.folder(name));
    const updatedAt = this.#dependencies.now();
    const record = { name, source, kind, updatedAt, ...(commit === undefined ? {} : { commit }) };
    await this.#records.set(record);
    return await this.#open(record);
  }

  /** Downloads a `marketplace.json`. */
  async #download(url: string, folder: string): Promise<undefined> {
    const response = await this.#request(url);
    if (!response.ok) {
      await response.body?.cancel();
      throw new MarketplaceUnusableError(
        url,
        `the server answered ${response.status}`,
        "check the URL",
      );
    }
    const path = join(folder, MARKETPLACE_FILE);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await response.text());
  }

  async #request(url: string): Promise<Response> {
    try {
      return await fetchWithinOrigin(url, this.#dependencies.network);
    } catch (error) {
      if (NetworkDeniedError.isInstance(error) || MarketplaceRedirectError.isInstance(error)) {
        throw error;
      }
      throw new MarketplaceUnusableError(
        url,
        `the server cannot be reached (${errorMessage(error)})`,
        "check the URL and the network",
        error,
      );
    }
  }
}

/** Marketplace whose contents cannot be read. */
export interface UnreadMarketplace {
  readonly record: MarketplaceRecord;
  readonly problem: string;
}

function folderOnDisk(market: OpenMarketplace, entry: MarketplaceEntry): string | undefined {
  try {
    const source = sourceOfEntry(market, entry);
    return source.kind === "plugin-dir" ? source.path : undefined;
  } catch (error) {
    if (MarketplacePluginError.isInstance(error)) return undefined;
    throw error;
  }
}

async function sourceOf(text: string, cwd: string): Promise<MarketplaceSource> {
  const path = resolve(cwd, text);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) {
    return { kind: "folder", source: found.isDirectory() ? path : marketplaceFolder(path) };
  }
  if (/^https?:\/\/[^#]+\.json$/.test(text)) return { kind: "url", source: text };
  const isGit =
    /^(?:git\+|git@|ssh:\/\/|file:\/\/|https?:\/\/|github:|gitlab:|bitbucket:)/.test(text) ||
    /^[\w-][\w.-]*\/[\w.-]+(?:#.*)?$/.test(text);
  if (isGit) return { kind: "git", source: text };
  throw new MarketplaceUnusableError(
    text,
    "it is neither a folder, a git URL, owner/name of GitHub nor the URL of a marketplace.json",
    "check the path or URL",
  );
}

/** Puts a fetched folder into its place; the earlier one stays until the new one is complete. */
async function replaceFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const old = `${from}.old`;
  const had = await rename(to, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(from, to);
  } catch (error) {
    if (had) await rename(old, to);
    throw error;
  }
}
