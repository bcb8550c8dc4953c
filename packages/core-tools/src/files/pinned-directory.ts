import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { systemErrorCode } from "../system-error.js";

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A folder kept open, so that what is done in it stays in it. Where the system names open files
 * (`/proc/self/fd`), paths from {@link PinnedDirectory.path} go through the open folder and nothing can
 * redirect them; elsewhere they are ordinary paths, and {@link PinnedDirectory.isInPlace} tells a swap
 * only before and after.
 */
export class PinnedDirectory {
  readonly #handle: FileHandle;
  readonly #folder: string;
  readonly #anchor: string;

  private constructor(handle: FileHandle, folder: string, anchor: string) {
    this.#handle = handle;
    this.#folder = folder;
    this.#anchor = anchor;
  }

  /**
   * Opens a folder.
   * @param folder - its real path, without links
   * @returns undefined when something else is at that path by now
   */
  static async open(folder: string): Promise<PinnedDirectory | undefined> {
    const handle = await openFolder(folder);
    if (handle === undefined) return undefined;
    const descriptor = `/proc/self/fd/${handle.fd}`;
    const opened = await readlink(descriptor).catch(() => undefined);
    const held = new PinnedDirectory(handle, folder, opened === undefined ? folder : descriptor);
    if ((opened ?? folder) === folder && (await held.isInPlace())) return held;
    await held.close();
    return undefined;
  }

  /**
   * A path of an entry for use now, not for showing.
   * @param name - the entry's name, without separators; `.` for the folder itself
   */
  path(name: string): string {
    // Not joined: that would remove a final `.`, and with it the path through the descriptor.
    return `${this.#anchor}${sep}${name}`;
  }

  /** Returns true if the path still leads to this folder. */
  async isInPlace(): Promise<boolean> {
    const present = await lstat(this.#folder, { bigint: true }).catch(() => undefined);
    const opened = await this.#handle.stat({ bigint: true });
    return present?.dev === opened.dev && present.ino === opened.ino;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function openFolder(folder: string): Promise<FileHandle | undefined> {
  try {
    return await open(folder, FOLDER_FLAGS);
  } catch (error) {
    const swapped = ["ENOENT", "ENOTDIR", "ELOOP"].includes(systemErrorCode(error) ?? "");
    if (swapped) return undefined;
    throw error;
  }
}
