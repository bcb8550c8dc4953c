import { type FSWatcher, realpathSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { errorMessage, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";

/** Editors write a file in several steps; one reload covers them all (GW-006). */
const SETTLE_MS = 300;

/** Dependencies of {@link FileWatch}. */
export interface FileWatchDependencies {
  readonly timers: Timers;
  readonly logger: Logger;
  /** Called once after the files have been quiet for 300 ms. */
  readonly onChange: () => void;
}

/**
 * Watches files by their folders, so that a file that an editor replaces by renaming, removes or creates is
 * noticed.
 */
export class FileWatch {
  readonly #dependencies: FileWatchDependencies;
  readonly #folders = new Map<string, { watcher: FSWatcher; names: Set<string> }>();
  #timer: TimerHandle | undefined;
  #closed = false;

  /** @param dependencies - timers, log and receiver of changes */
  constructor(dependencies: FileWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Watches these files instead of the earlier ones.
   * @param files - absolute paths, also of files that do not exist; of links, the target is watched too
   */
  follow(files: readonly string[]): void {
    if (this.#closed) return;
    const wanted = new Map<string, Set<string>>();
    for (const file of files.flatMap(withTarget)) {
      const names = wanted.get(dirname(file)) ?? new Set();
      wanted.set(dirname(file), names.add(basename(file)));
    }
    for (const [folder, { watcher }] of this.#folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const [folder, names] of wanted) this.#watch(folder, names);
  }

  /** Stops watching. */
  close(): void {
    this.#closed = true;
    this.#dependencies.timers.clearTimeout(this.#timer);
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #watch(folder: string, names: Set<string>): void {
    const watched = this.#folders.get(folder);
    if (watched !== undefined) {
      watched.names = names;
      return;
    }
    try {
      const watcher = watch(folder, { persistent: false });
      const entry = { watcher, names };
      watcher.on("change", (_event, name) => {
        // A folder whose link is exchanged as a whole has names that begin with two dots.
        const isMeant = name === null || entry.names.has(String(name));
        if (isMeant || String(name).startsWith("..")) this.#settle();
      });
      watcher.on("error", (error) => this.#report(folder, error));
      this.#folders.set(folder, entry);
    } catch (error) {
      this.#report(folder, error);
    }
  }

  #settle(): void {
    const { timers, onChange } = this.#dependencies;
    timers.clearTimeout(this.#timer);
    this.#timer = timers.setTimeout(onChange, SETTLE_MS);
  }

  #report(folder: string, error: unknown): void {
    this.#folders.get(folder)?.watcher.close();
    this.#folders.delete(folder);
    const message = `cannot watch ${folder} for changes of the configuration (${errorMessage(error)}); restart the gateway after a change`;
    this.#dependencies.logger.warn(message, { code: "CONFIG_NOT_WATCHED" });
  }
}

function withTarget(file: string): string[] {
  try {
    return [...new Set([file, realpathSync(file)])];
  } catch {
    return [file];
  }
}
