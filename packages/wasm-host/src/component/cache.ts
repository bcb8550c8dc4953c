import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KeyedMutex } from "@openclaw/foundation";
import type { WorkerComponent } from "../worker/messages.js";
import type { TranspiledComponent } from "./transpilation.js";
import type { ComponentWorld } from "./world.js";

/** Changes whenever the instrumentation, the glue code or this format do. */
const CACHE_VERSION = 3;

/** Description and schema of a tool; computed when it is transpiled. */
export interface ToolSelfDescription {
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A component that is ready to run. */
export interface CachedComponent {
  readonly hash: string;
  readonly world: ComponentWorld;
  readonly component: WorkerComponent;
  /** Self-description of a tool; undefined for a channel. */
  readonly tool: ToolSelfDescription | undefined;
}

interface CacheFile {
  readonly name: string;
  readonly hash: string;
}

interface Manifest {
  readonly format: number;
  readonly world: ComponentWorld;
  readonly glue: CacheFile;
  readonly modules: readonly (CacheFile & { readonly pages: number; readonly tables: number })[];
  readonly tool?: ToolSelfDescription | undefined;
}

const MANIFEST = "manifest.json";
const GLUE = "component.mjs";

/** Returns the hash that identifies the content of a component. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Keeps transpiled components in a folder, by the hash of their content and the version of the host (WASM-006). An entry
 * that is damaged is not returned, so that it is made again.
 */
export class ComponentCache {
  /** Lets one caller at a time make an entry. */
  readonly changes = new KeyedMutex();
  readonly #folder: string;
  readonly #version: string;

  /** @param folder - folder of the entries; it is created */
  constructor(folder: string, hostVersion: string) {
    this.#folder = folder;
    this.#version = `${CACHE_VERSION}-${hostVersion.replaceAll(/[^\w.-]/g, "_")}`;
  }

  /**
   * Returns the entry of a component; undefined when there is none that can be used.
   * @param hash - hash of its content
   */
  async read(hash: string): Promise<CachedComponent | undefined> {
    const folder = this.#entry(hash);
    try {
      const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
      if (manifest.format !== CACHE_VERSION) return undefined;
      const { glue, modules, tool } = manifest;
      const { kind, version, errors } = manifest.world;
      const world = { kind, version, errors };
      for (const file of [glue, ...modules]) {
        if (contentHash(await readFile(join(folder, file.name))) !== file.hash) return undefined;
      }
      const component: WorkerComponent = {
        key: `${hash}:${folder}`,
        glue: join(folder, glue.name),
        modules: modules.map(({ name, pages, tables }) => {
          return { name, pages, tables, file: join(folder, name) };
        }),
        version: world.version,
      };
      return { hash, world, component, tool };
    } catch {
      // Absent, cut or unreadable: all are made again.
      return undefined;
    }
  }

  /**
   * Writes an entry, at once for readers; an entry that exists is replaced.
   * @param hash - hash of the content of the component
   */
  async write(
    hash: string,
    world: ComponentWorld,
    { glue, modules }: TranspiledComponent,
    tool?: ToolSelfDescription,
  ): Promise<void> {
    const folder = this.#entry(hash);
    const staged = `${folder}.${randomUUID()}.tmp`;
    await mkdir(staged, { recursive: true });
    const manifest: Manifest = {
      format: CACHE_VERSION,
      world,
      glue: { name: GLUE, hash: contentHash(glue) },
      modules: modules.map(({ name, bytes, pages, tables }) => {
        return { name, pages, tables, hash: contentHash(bytes) };
      }),
      tool,
    };
    try {
      await writeFile(join(staged, GLUE), glue);
      for (const { name, bytes } of modules) await writeFile(join(staged, name), bytes);
      await writeFile(join(staged, MANIFEST), JSON.stringify(manifest));
      await replaceFolder(staged, folder);
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes the entry of a component. */
  async remove(hash: string): Promise<void> {
    await rm(this.#entry(hash), { recursive: true, force: true });
  }

  #entry(hash: string): string {
    return join(this.#folder, `${hash}-${this.#version}`);
  }
}

/** Another process may make the same entry at the same time; its content is the same. */
async function replaceFolder(staged: string, folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(folder, { recursive: true, force: true });
    try {
      await rename(staged, folder);
      return;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}
