import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type CachedComponent,
  type ComponentCache,
  type ComponentLimits,
  capabilityLines,
  contentHash,
  prepareComponent,
  readCapabilities,
  type WorkerPool,
  widenedLines,
} from "@openclaw/wasm-host";
import { WasmComponentNotFoundError, WasmConsentError, WasmInstallError } from "../errors.js";
import { checkKind, checkRecord, setupSteps, textHash } from "./checks.js";
import { FolderScan, type LoadedComponent, type LoadProblem } from "./folder-scan.js";
import { type InstallRecord, InstallRecords, replaceFile } from "./record.js";
import { type ComponentSource, checkName } from "./source.js";

/** Description of a component before it is installed. */
export interface Inspection {
  readonly name: string;
  readonly kind: "tool" | "channel";
  readonly version: string | undefined;
  readonly hash: string;
  readonly description: string | undefined;
  readonly permissions: readonly string[];
  /** Permissions that were not accepted before; all of them for a new component. */
  readonly added: readonly string[];
  readonly warnings: readonly string[];
  /** Steps of the operator before it can be used, for example a login. */
  readonly steps: readonly string[];
}

/** Folder, cache and workers of the library. */
export interface LibraryContext {
  /** Folder of the components. */
  readonly folder: string;
  readonly kind: "tool" | "channel";
  readonly cache: ComponentCache;
  readonly pool: WorkerPool;
  readonly limits: ComponentLimits;
  warn(message: string): void;
}

/** Components of a folder: found, checked against their records, and changed while the host runs (WASM-040 to WASM-043). */
export class ComponentLibrary {
  readonly #context: LibraryContext;
  readonly #records: InstallRecords;
  #scanned: FolderScan | undefined;

  /** @param context - folder, cache and workers */
  constructor(context: LibraryContext) {
    this.#context = context;
    this.#records = new InstallRecords(context.folder);
  }

  /** Problems of the last scan. */
  get problems(): readonly LoadProblem[] {
    return this.#scanned?.problems ?? [];
  }

  /** Returns the components by name; the folder is scanned at the first call. */
  async components(): Promise<ReadonlyMap<string, LoadedComponent>> {
    return await this.#scan().all;
  }

  /**
   * Returns the components that are ready. Only those that an earlier version of the host transpiled are still missing after
   * its update, until they are transpiled again (WASM-512).
   */
  async available(): Promise<ReadonlyMap<string, LoadedComponent>> {
    const { cached, ready } = this.#scan();
    await cached;
    return ready;
  }

  /** Scans the folder again; calls in flight end with the components that they began with. */
  async reload(): Promise<ReadonlyMap<string, LoadedComponent>> {
    this.#scanned = undefined;
    return await this.components();
  }

  /** Returns true for a component that is installed, or whose file is in the folder. */
  async has(name: string): Promise<boolean> {
    return (await this.#records.read()).has(name) || (await this.names()).includes(name);
  }

  /**
   * Returns the kind of a component that is not installed.
   * @throws an error of the component
   */
  async kindOf({ name, bytes }: ComponentSource): Promise<"tool" | "channel"> {
    checkName(name);
    return (await this.#prepare(name, bytes)).world.kind;
  }

  /**
   * Checks a component without installing it.
   * @throws an error of the component or of its capabilities
   */
  async inspect(source: ComponentSource): Promise<Inspection> {
    const { name, bytes } = source;
    checkName(name);
    const { capabilities, warnings } = readCapabilities(name, source.capabilities);
    const { world, hash, tool } = await this.#prepare(name, bytes);
    checkKind(this.#context.kind, name, world.kind, capabilities);
    const record = (await this.#records.read()).get(name);
    return {
      ...{ name, hash, warnings, kind: world.kind, version: world.version },
      steps: setupSteps(name, capabilities),
      description: tool?.description,
      permissions: capabilityLines(capabilities),
      added: widenedLines(capabilities, record?.accepted ?? []),
    };
  }

  /**
   * Installs a component, or replaces an installed one (WASM-014).
   * @param accepted - permissions that the operator accepted, as they were shown
   * @throws WasmConsentError when it asks for more
   */
  async install(source: ComponentSource, accepted: readonly string[]): Promise<Inspection> {
    const inspection = await this.inspect(source);
    const missing = inspection.added.filter((line) => !accepted.includes(line));
    if (missing.length > 0) throw new WasmConsentError(source.name, missing);
    const { name, bytes, capabilities } = source;
    const record: InstallRecord = {
      hash: inspection.hash,
      capabilitiesHash: capabilities === undefined ? undefined : textHash(capabilities),
      trust: "user",
      source: source.source,
      accepted: inspection.permissions,
    };
    // A crash between these steps leaves a record that says so, and the next scan does not load the files.
    await this.#records.write(name, { ...record, isPending: true });
    await replaceFile(this.#file(name), bytes);
    if (capabilities === undefined) await rm(this.#capabilitiesFile(name), { force: true });
    else await replaceFile(this.#capabilitiesFile(name), capabilities);
    await this.#records.write(name, record);
    await this.reload();
    return inspection;
  }

  /**
   * Removes a component; calls in flight end.
   * @throws WasmComponentNotFoundError
   */
  async remove(name: string): Promise<void> {
    if (!(await this.has(name))) throw new WasmComponentNotFoundError(name, await this.names());
    await rm(this.#file(name), { force: true });
    await rm(this.#capabilitiesFile(name), { force: true });
    await this.#records.write(name, undefined);
    await this.reload();
  }

  #scan(): FolderScan {
    this.#scanned ??= new FolderScan({
      names: () => this.names(),
      records: this.#records,
      load: (name, record, miss) => this.#load(name, record, miss),
      note: (component) => this.#note(component),
      warn: (message) => this.#context.warn(message),
    });
    return this.#scanned;
  }

  /** @param miss - is called when it was not transpiled by this version of the host */
  async #load(
    name: string,
    record: InstallRecord | undefined,
    miss: () => void,
  ): Promise<LoadedComponent> {
    checkName(name);
    if (record?.isPending === true) {
      throw new WasmInstallError(
        `the installation of component "${name}" was interrupted`,
        "install it again, or remove it with `openclaw wasm remove`",
      );
    }
    const bytes = await readFile(this.#file(name));
    const text = await this.#capabilitiesText(name);
    if (record !== undefined) checkRecord(name, record, bytes, text);
    const { capabilities, warnings } = readCapabilities(name, text);
    for (const warning of warnings) this.#context.warn(`${name}.capabilities.json: ${warning}`);
    if ((await this.#context.cache.read(contentHash(bytes))) === undefined) miss();
    const prepared = await this.#prepare(name, bytes);
    checkKind(this.#context.kind, name, prepared.world.kind, capabilities);
    return {
      ...{ name, prepared, capabilities, permissions: capabilityLines(capabilities) },
      trust: record?.trust ?? "user",
      source: record?.source ?? "found",
    };
  }

  async #note({ name, prepared, permissions }: LoadedComponent): Promise<void> {
    const text = await this.#capabilitiesText(name);
    await this.#records.write(name, {
      hash: prepared.hash,
      capabilitiesHash: text === undefined ? undefined : textHash(text),
      ...{ trust: "user", source: "found", accepted: permissions },
    });
  }

  async #prepare(name: string, bytes: Uint8Array): Promise<CachedComponent> {
    const { cache, pool, limits } = this.#context;
    return await prepareComponent(name, bytes, { cache, pool, limits });
  }

  /** Returns the names of the files in the folder. */
  async names(): Promise<readonly string[]> {
    try {
      const files = await readdir(this.#context.folder);
      return files
        .filter((file) => file.endsWith(".wasm") && !file.startsWith("."))
        .map((file) => file.slice(0, -".wasm".length))
        .sort();
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  }

  async #capabilitiesText(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.#capabilitiesFile(name), "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  #file(name: string): string {
    return join(this.#context.folder, `${name}.wasm`);
  }

  #capabilitiesFile(name: string): string {
    return join(this.#context.folder, `${name}.capabilities.json`);
  }
}
