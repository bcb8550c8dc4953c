import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
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
 * the new one cannot be moved, recorded or loaded.
 * @param plugin - staged plugin
 * @param ports - records, and the load of the plugin
 * @returns result of the load
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
  const replaced = await rename(target, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  try {
    await rename(staged.dir, target);
    await records.set(record, files);
    return await activate(pluginId, before);
  } catch (error) {
    await removeFolder(target);
    if (replaced) {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(old, target);
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
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const scope = dirname(folder);
  if (!basename(scope).startsWith("@")) return;
  await rmdir(scope).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}
