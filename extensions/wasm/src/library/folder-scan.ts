import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { CachedComponent, Capabilities } from "@openclaw/wasm-host";
import type { InstallRecord, InstallRecords, TrustLevel } from "./record.js";

/** A component that can be called. */
export interface LoadedComponent {
  readonly name: string;
  readonly trust: TrustLevel;
  readonly source: string;
  readonly prepared: CachedComponent;
  readonly capabilities: Capabilities;
  /** Permissions, one line each. */
  readonly permissions: readonly string[];
}

/** A file that could not be loaded. */
export interface LoadProblem {
  readonly name: string;
  readonly message: string;
}

/** Folder, records and loading of a {@link FolderScan}. */
export interface ScannedFolder {
  /** Returns the names of the components. */
  names(): Promise<readonly string[]>;
  readonly records: Pick<InstallRecords, "read">;
  /**
   * Loads a component.
   * @param miss - is called when it must be transpiled first
   */
  load(name: string, record: InstallRecord | undefined, miss: () => void): Promise<LoadedComponent>;
  /** Notes the content of a component that the operator put into the folder. */
  note(component: LoadedComponent): Promise<void>;
  warn(message: string): void;
}

/** A component that is being loaded. */
interface BegunLoad {
  /** True for a file that the operator put into the folder. */
  readonly isNew: boolean;
  /** Settles when it must be transpiled first. */
  readonly missed: Promise<void>;
  readonly ended: Promise<LoadedComponent | LoadProblem>;
}

/** One scan of a folder, whose components are loaded at the same time. */
export class FolderScan {
  /** Settles when all components are loaded, with those that can be used in the order of their names. */
  readonly all: Promise<ReadonlyMap<string, LoadedComponent>>;
  /** Settles when those that this version of the host transpiled before are ready. */
  readonly cached: Promise<void>;
  readonly #folder: ScannedFolder;
  readonly #ready = new Map<string, LoadedComponent>();
  #problems: readonly LoadProblem[] = [];

  /** @param folder - files, records and loading */
  constructor(folder: ScannedFolder) {
    this.#folder = folder;
    const loads = Promise.all([folder.records.read(), folder.names()]).then(([records, names]) =>
      names.map((name) => this.#begin(name, records.get(name))),
    );
    this.all = loads.then((begun) => this.#finish(begun));
    this.cached = loads.then(async (begun) => {
      await Promise.all(begun.map((load) => Promise.race([load.ended, load.missed])));
    });
    // Whoever waits for it gets the error.
    for (const promise of [this.all, this.cached]) promise.catch(() => undefined);
  }

  /** Components that can be used so far. */
  get ready(): ReadonlyMap<string, LoadedComponent> {
    return this.#ready;
  }

  /** Files that could not be loaded, once all are. */
  get problems(): readonly LoadProblem[] {
    return this.#problems;
  }

  #begin(name: string, record: InstallRecord | undefined): BegunLoad {
    let miss = () => {};
    const missed = new Promise<void>((resolve) => {
      miss = resolve;
    });
    const load = async (): Promise<LoadedComponent | LoadProblem> => {
      try {
        const component = await this.#folder.load(name, record, miss);
        this.#ready.set(name, component);
        return component;
      } catch (error) {
        return { name, message: errorMessage(error) };
      }
    };
    return { isNew: record === undefined, missed, ended: load() };
  }

  async #finish(begun: readonly BegunLoad[]): Promise<ReadonlyMap<string, LoadedComponent>> {
    const problems: LoadProblem[] = [];
    await Promise.all(begun.map(({ ended }) => ended));
    for (const { ended, isNew } of begun) {
      const outcome = await ended;
      if ("message" in outcome) problems.push(outcome);
      // The content of what the operator put into the folder is kept from now on.
      else if (isNew) await this.#folder.note(outcome);
    }
    for (const { name, message } of problems) this.#folder.warn(`${name}: ${message}`);
    this.#problems = problems;
    // The order in which they were ready differs from start to start.
    return new Map([...this.#ready].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
