import { type FSWatcher, watch } from "node:fs";
import { sep } from "node:path";
import { systemErrorCode } from "../../system-error.js";

/** Folders that are watched; a system allows a process a limited number. */
const MOST_FOLDERS = 8192;
/** Folders in which changes are found by searches only, because they are many. */
const SEARCHED = new Set(["node_modules", ".git"]);

/** Reports new entries of many folders as soon as the system does. Folders beyond a limit are not watched. */
export class FolderWatch {
  readonly #onChange: (folder: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #isFull = false;

  /**
   * @param folders - folders to watch, real paths
   * @param onChange - receives a folder in which an entry was created, renamed or removed
   */
  constructor(folders: readonly string[], onChange: (folder: string) => void) {
    this.#onChange = onChange;
    for (const folder of folders) this.add(folder);
  }

  /**
   * Watches one more folder, unless it is watched already.
   * @param folder - a real path
   * @returns true if it was not watched before and is now
   */
  add(folder: string): boolean {
    if (this.#isFull || this.#watchers.has(folder)) return false;
    if (folder.split(sep).some((name) => SEARCHED.has(name))) return false;
    if (this.#watchers.size >= MOST_FOLDERS) {
      this.#isFull = true;
      return false;
    }
    try {
      const watcher = watch(folder, { persistent: false }, (event) => {
        if (event === "rename") this.#onChange(folder);
      });
      watcher.on("error", () => this.#remove(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOSPC" || code === "EMFILE") this.#isFull = true;
      return false;
    }
  }

  /** Ends all reports. */
  close(): void {
    this.#isFull = true;
    for (const folder of [...this.#watchers.keys()]) this.#remove(folder);
  }

  #remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
