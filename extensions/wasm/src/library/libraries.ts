import { WasmComponentNotFoundError } from "../errors.js";
import type { LoadedComponent, LoadProblem } from "./folder-scan.js";
import type { ComponentLibrary, Inspection } from "./library.js";
import type { ComponentSource } from "./source.js";

/** The libraries of tools and of channels. */
export interface LibrariesOfKinds {
  readonly tool: ComponentLibrary;
  readonly channel: ComponentLibrary;
}

/** Loaded components by name. */
export interface LoadedKinds {
  readonly tools: ReadonlyMap<string, LoadedComponent>;
  readonly channels: ReadonlyMap<string, LoadedComponent>;
}

/** Components of both kinds; one is installed into the folder of its kind. */
export class ComponentLibraries {
  readonly #libraries: LibrariesOfKinds;
  readonly #changed: (loaded: LoadedKinds) => void;

  /**
   * @param libraries - the library of each kind
   * @param changed - called with the components when they were loaded
   */
  constructor(libraries: LibrariesOfKinds, changed: (loaded: LoadedKinds) => void) {
    this.#libraries = libraries;
    this.#changed = changed;
  }

  /** Problems of the last scan. */
  get problems(): readonly LoadProblem[] {
    return this.#all.flatMap(({ problems }) => problems);
  }

  /** Returns the tools that are ready, by name. */
  async tools(): Promise<ReadonlyMap<string, LoadedComponent>> {
    return await this.#libraries.tool.available();
  }

  /** Loads the components; the channels begin to run. */
  async start(): Promise<void> {
    const { tool, channel } = this.#libraries;
    const [tools, channels] = await Promise.all([tool.components(), channel.components()]);
    this.#changed({ tools, channels });
  }

  /** Returns all components. */
  async components(): Promise<readonly LoadedComponent[]> {
    const found = await Promise.all(this.#all.map((library) => library.components()));
    return found.flatMap((components) => [...components.values()]);
  }

  /** Scans both folders again; calls in flight end with the components that they began with. */
  async reload(): Promise<void> {
    await Promise.all(this.#all.map((library) => library.reload()));
    await this.start();
  }

  /** Checks a component without installing it. */
  async inspect(source: ComponentSource): Promise<Inspection> {
    return await (await this.#of(source)).inspect(source);
  }

  /** Installs a component, or replaces an installed one. */
  async install(source: ComponentSource, accepted: readonly string[]): Promise<Inspection> {
    const inspection = await (await this.#of(source)).install(source, accepted);
    await this.start();
    return inspection;
  }

  /**
   * Removes a component; of a tool and a channel with one name both.
   * @throws WasmComponentNotFoundError
   */
  async remove(name: string): Promise<void> {
    const owners: ComponentLibrary[] = [];
    for (const library of this.#all) if (await library.has(name)) owners.push(library);
    if (owners.length === 0) {
      const known = await Promise.all(this.#all.map((library) => library.names()));
      throw new WasmComponentNotFoundError(name, known.flat());
    }
    for (const library of owners) await library.remove(name);
    await this.start();
  }

  async #of(source: ComponentSource): Promise<ComponentLibrary> {
    return this.#libraries[await this.#libraries.tool.kindOf(source)];
  }

  get #all(): readonly ComponentLibrary[] {
    return [this.#libraries.tool, this.#libraries.channel];
  }
}
