import { randomBytes } from "node:crypto";
import { cp, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import { FileReplacementError, isMountError } from "@openclaw/foundation/file-replacement";
import type { PluginReload } from "@openclaw/plugin-runtime";
import type { InstallRecord, InstallRecords } from "./install-records.js";
import type { FileInventory } from "./inventory.js";
import type { StagedPlugin } from "./source.js";

/** Dependencies of {@link placePlugin}. */
export interface PlacementPorts {
  readonly records: InstallRecords;
  /**
   * Loads a plugin that was moved into place.
   * @param pluginId - the plugin
   * @param before - record of the version that it replaces
   * @throws an error that undoes the install
   */
  activate(pluginId: string, before: InstallRecord | undefined): Promise<PluginReload>;
  /**
   * Called when the install of a plugin was undone and its previous files, if any, are back.
   * @param pluginId - the plugin
   */
  undone(pluginId: string): Promise<void>;
}

/** A staged plugin that passed every check. */
export interface CheckedPlugin {
  readonly staged: StagedPlugin;
  /** Absolute path of its folder. */
  readonly target: string;
  readonly record: InstallRecord;
  readonly files: FileInventory;
}

/**
 * Moves a plugin into place and loads it. A rename is a single step on one disk; an older version is restored when
 * the new one cannot be moved, recorded or loaded. A volume for plugins is another disk than that of the state folder:
 * the plugin is copied to it first.
 * @param plugin - staged plugin
 * @param ports - records, and the load of the plugin
 * @returns result of the load
 * @throws FileReplacementError when the folder of the plugin is mounted itself; it stays as it is
 */
export async function placePlugin(
  { staged, target, record, files }: CheckedPlugin,
  { records, activate, undone }: PlacementPorts,
): Promise<PluginReload> {
  const { pluginId } = record;
  const old = `${staged.dir}-old`;
  const before = await records.get(pluginId);
  const filesBefore = before && (await records.files(before));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const replaced = await moveFolder(target, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  try {
    await moveFolder(staged.dir, target);
    await records.set(record, files);
    return await activate(pluginId, before);
  } catch (error) {
    await removeFolder(target);
    if (replaced) {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await moveFolder(old, target);
    }
    if (before === undefined) await records.delete(pluginId);
    else await records.set(before, filesBefore ?? {});
    await undone(pluginId);
    throw error;
  }
}

/**
 * Deletes the folder of a plugin, and that of its scope when nothing else is in it.
 * @param folder - absolute path
 * @throws FileReplacementError when the folder is mounted itself; nothing in it is deleted
 */
export async function removeFolder(folder: string): Promise<void> {
  const removed = siblingOf(folder);
  try {
    // A mounted folder cannot be removed, and its content must not be deleted before that is known.
    await moveFolder(folder, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rm(removed, { recursive: true, force: true });
  const scope = dirname(folder);
  if (!basename(scope).startsWith("@")) return;
  await rmdir(scope).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}

async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isMountError(error)) throw error;
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") {
      throw new FileReplacementError(
        from,
        `it is mounted separately (${errorMessage(error)})`,
        "change the plugin where it is mounted from, or remove the mount",
        error,
      );
    }
    const copy = siblingOf(to);
    try {
      await cp(from, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      await rename(copy, to);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
    await rm(from, { recursive: true, force: true });
  }
}

/** Returns a name in the same folder that the discovery of plugins ignores. */
function siblingOf(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.${randomBytes(6).toString("hex")}`);
}
