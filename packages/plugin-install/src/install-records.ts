import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import type { DeclaredPermissions } from "@openclaw/plugin-discovery";
import { StateFolderError } from "@openclaw/store/errors";
import { digestOfInventory, type FileInventory } from "./inventory.js";

/** Places in the state folder of a host. */
export interface InstallFolders {
  /** State folder, which has the records. */
  readonly dir: string;
  /** Folder of the installed plugins. */
  readonly extensionsDir: string;
}

/** Record of an installed plugin. */
export interface InstallRecord {
  readonly pluginId: string;
  /**
   * Specifier that an update installs again, as the operator wrote it; files and folders as absolute paths.
   */
  readonly requested: string;
  readonly kind: string;
  /** Marketplace that it was installed from. */
  readonly marketplace?: string;
  /** Version in the manifest. */
  readonly version?: string;
  /** Version in `package.json`. */
  readonly packageVersion?: string;
  /** Subresource integrity of the plugin's archive. */
  readonly integrity?: string;
  /** SHA-256 over the names and contents of its files, see {@link digestOfInventory}. */
  readonly filesDigest: string;
  /** Milliseconds since the epoch. */
  readonly installedAt: number;
  /** Permissions in its manifest, which show what an update adds (PLUG-047). */
  readonly permissions?: DeclaredPermissions;
}

/** Records of the plugins of one state folder. */
export interface InstallRecords {
  get(pluginId: string): Promise<InstallRecord | undefined>;
  list(): Promise<readonly InstallRecord[]>;
  /**
   * Returns the files of a plugin as they were installed; undefined when their list is missing or does not match
   * the record.
   * @param record - record of the plugin
   */
  files(record: InstallRecord): Promise<FileInventory | undefined>;
  /**
   * Stores a record with the list of its files.
   * @param record - record whose `filesDigest` is that of `files`
   * @param files - files of the plugin
   */
  set(record: InstallRecord, files: FileInventory): Promise<void>;
  delete(pluginId: string): Promise<void>;
}

/**
 * Returns the folder of an installed plugin. The discovery takes a folder with `@` for a scope and searches the
 * folders in it.
 * @param state - state folder
 * @param pluginId - ID in the manifest
 */
export function installFolder(
  { extensionsDir }: Pick<InstallFolders, "extensionsDir">,
  pluginId: string,
): string {
  const [, scope, name = pluginId] = /^(@[^/]+)\/(.+)$/.exec(pluginId) ?? [];
  if (scope === undefined) return join(extensionsDir, flat(pluginId.replace(/^@/, "at__")));
  return join(extensionsDir, scope, flat(name));
}

function flat(pluginId: string): string {
  return pluginId.replaceAll("/", "__");
}

/**
 * Opens the records of a state folder: one file for all plugins, and one per plugin with the list of its files.
 * @param state - state folder
 */
export function installRecords({ dir }: Pick<InstallFolders, "dir">): InstallRecords {
  const file = join(dir, "plugin-installs.json");
  const listOf = (pluginId: string) => join(dir, "plugin-files", `${flat(pluginId)}.json`);
  const read = async (): Promise<Map<string, InstallRecord>> => {
    try {
      const records = JSON.parse(await readFile(file, "utf8")) as InstallRecord[];
      return new Map(records.map((record) => [record.pluginId, record]));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      throw new StateFolderError(dirname(file), "contains install records that cannot be read", {
        nextStep: `fix ${file}, or move it away and install the plugins again`,
        cause,
      });
    }
  };
  const write = (records: ReadonlyMap<string, InstallRecord>) =>
    writePrivateFile(file, `${JSON.stringify([...records.values()], null, 2)}\n`);
  return {
    get: async (pluginId) => (await read()).get(pluginId),
    list: async () => [...(await read()).values()],
    files: ({ pluginId, filesDigest }) => readFiles(listOf(pluginId), filesDigest),
    async set(record, files) {
      const records = await read();
      writePrivateFile(listOf(record.pluginId), JSON.stringify(files));
      write(records.set(record.pluginId, record));
    },
    async delete(pluginId) {
      const records = await read();
      if (records.delete(pluginId)) write(records);
      await rm(listOf(pluginId), { force: true });
    },
  };
}

/** Reads a list of files; one that is damaged or was replaced counts as missing. */
async function readFiles(file: string, digest: string): Promise<FileInventory | undefined> {
  try {
    const files = JSON.parse(await readFile(file, "utf8")) as FileInventory;
    return digestOfInventory(files) === digest ? files : undefined;
  } catch {
    return undefined;
  }
}
