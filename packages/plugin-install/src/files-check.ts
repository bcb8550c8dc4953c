import { realpath } from "node:fs/promises";
import type { PluginFilesCheck } from "@openclaw/plugin-loader";
import { type InstallFolders, installFolder, installRecords } from "./install-records.js";
import {
  compareInventories,
  digestOfInventory,
  executables,
  type FileChanges,
  readInventory,
} from "./inventory.js";

/** Number of files that a message names. */
const NAMED_FILES = 5;

/**
 * Creates the check of installed plugins before each load: their files are those that were installed (PLUG-080). Files
 * that a plugin adds to its folder are accepted, unless a program can execute them.
 * @param state - state folder with the plugins and their records
 */
export function createFilesCheck(state: InstallFolders): PluginFilesCheck {
  const records = installRecords(state);
  return async ({ id, rootDir }) => {
    const record = await records.get(id);
    if (record === undefined || !(await isInstalled(state, id, rootDir))) return undefined;
    const installed = await records.files(record);
    const now = await readInventory(rootDir, installed);
    const hint = `run \`openclaw plugins accept ${id}\` if you changed them, or \`openclaw plugins update ${id}\` to install it again`;
    if (installed === undefined) {
      if (digestOfInventory(now) === record.filesDigest) return undefined;
      return { message: "its files are not those that were installed", hint };
    }
    const changes = relevant(compareInventories(installed, now), executables(now));
    return changes.length === 0
      ? undefined
      : { message: `its files changed since it was installed: ${listed(changes)}`, hint };
  };
}

/** Returns false for a plugin of the same ID at another place. */
async function isInstalled(state: InstallFolders, id: string, rootDir: string): Promise<boolean> {
  const folder = installFolder(state, id);
  return rootDir === (await realpath(folder).catch(() => folder));
}

function relevant({ added, changed, removed }: FileChanges, programs: object): string[] {
  return [
    ...changed.map((file) => `${file} (changed)`),
    ...removed.map((file) => `${file} (removed)`),
    ...added.filter((file) => Object.hasOwn(programs, file)).map((file) => `${file} (added)`),
  ];
}

function listed(files: readonly string[]): string {
  const rest = files.length - NAMED_FILES;
  const shown = rest > 0 ? [...files.slice(0, NAMED_FILES), `${rest} more`] : files;
  return shown.join(", ");
}
