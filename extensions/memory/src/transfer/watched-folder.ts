import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { FSWatcher } from "chokidar";
import { normaliseFolder, normalisePath } from "../documents/path.js";
import type { Memory } from "../memory.js";
import type { Owner } from "../owner.js";
import { isDocumentFile } from "./folder-walk.js";
import { type ImportReport, importFolder } from "./import.js";
import { readTextFile } from "./text-file.js";

/** Options of {@link WatchedFolder}. */
export interface WatchedFolderOptions {
  /** Absolute path on disk. */
  readonly folder: string;
  /** Folder of the memory; the root when empty. */
  readonly target: string;
  readonly owner: Owner;
  readonly logger: Logger;
  /** Called after a change was taken over. */
  readonly onChange?: (() => void) | undefined;
}

/** Keeps the documents of a folder on disk in memory: changed files are read again, removed ones are removed. */
export class WatchedFolder {
  readonly #memory: Memory;
  readonly #options: WatchedFolderOptions;
  readonly #prefix: string;
  #watcher: FSWatcher | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(memory: Memory, options: WatchedFolderOptions) {
    this.#memory = memory;
    this.#options = options;
    this.#prefix = normaliseFolder(options.target, "target");
  }

  /**
   * Imports the changes since the last time, then watches.
   * @returns report of the import; undefined when the folder does not exist, and nothing was changed
   */
  async start(): Promise<ImportReport | undefined> {
    const { folder, logger } = this.#options;
    if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
      // A folder on a disk that is not mounted must not empty the memory.
      logger.warn(`folder ${folder} does not exist; its documents stay in memory as they are`);
      return undefined;
    }
    const { watch } = await import("chokidar");
    const watcher = watch(folder, {
      ignoreInitial: true,
      followSymlinks: false,
      awaitWriteFinish: { stabilityThreshold: 200, pollInterval: 50 },
    });
    this.#watcher = watcher;
    await new Promise<void>((ready) => watcher.once("ready", ready));
    watcher.on("add", (file) => this.#then(() => this.#read(file)));
    watcher.on("change", (file) => this.#then(() => this.#read(file)));
    watcher.on("unlink", (file) => this.#then(() => this.#remove(file)));
    watcher.on("error", (error) => logger.warn(`folder ${folder} cannot be watched: ${error}`));
    const report = await this.#importAll();
    for (const { file, problem } of report.skipped) {
      logger.warn(`${join(folder, file)} is not in memory: ${problem}`);
    }
    return report;
  }

  /** Stops watching, and waits for running work. */
  async stop(): Promise<void> {
    await this.#watcher?.close();
    await this.#work;
  }

  async #importAll(): Promise<ImportReport> {
    const { folder, owner } = this.#options;
    const report = await importFolder(this.#memory, owner, folder, {
      target: this.#prefix,
      linkFiles: true,
    });
    const root = `${pathToFileURL(folder).href}/`;
    for (const { id, sourceUrl } of await this.#memory.documents.list(owner, this.#prefix)) {
      if (sourceUrl?.startsWith(root) !== true) continue;
      if ((await stat(new URL(sourceUrl)).catch(() => undefined)) === undefined) {
        await this.#memory.documents.removeById(id);
      }
    }
    return report;
  }

  async #read(file: string): Promise<void> {
    const path = this.#pathOf(file);
    if (path === undefined) return;
    const { owner, logger } = this.#options;
    const found = await readTextFile(file);
    if ("problem" in found) {
      logger.warn(`${file} is not in memory: ${found.problem}`);
      return;
    }
    const sourceUrl = pathToFileURL(file).href;
    await this.#memory.documents.write(owner, { path, content: found.text, sourceUrl });
  }

  async #remove(file: string): Promise<void> {
    const path = this.#pathOf(file);
    if (path === undefined) return;
    const document = await this.#memory.documents.find(this.#options.owner, path);
    // A document of the same path that came from elsewhere stays.
    if (document?.sourceUrl !== pathToFileURL(file).href) return;
    await this.#memory.documents.removeById(document.id);
  }

  #pathOf(file: string): string | undefined {
    const path = relative(this.#options.folder, file).split(sep).join("/");
    if (!isDocumentFile(path)) return undefined;
    return normalisePath(this.#prefix === "" ? path : `${this.#prefix}/${path}`);
  }

  #then(work: () => Promise<void>): void {
    const { logger, onChange } = this.#options;
    this.#work = this.#work.then(work).then(onChange, (error: unknown) => {
      logger.warn(`a change on disk was not taken over: ${error}`);
    });
  }
}
