import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { DeclaredPermissions } from "@openclaw/plugin-runtime";
import { StateFolderError } from "../errors.js";

/** Record of an installed plugin. */
export interface InstallRecord {
  readonly pluginId: string;
  /**
   * Specifier that an update installs again, as the operator wrote it; files and folders as absolute paths.
   */
  readonly requested: string;
  readonly kind: string;
  /** Version in the manifest. */
  readonly version?: string;
  /** Version in `package.json`. */
  readonly packageVersion?: string;
  /** Subresource integrity of the plugin's archive. */
  readonly integrity?: string;
  /** SHA-256 over the names and contents of its files. */
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
  set(record: InstallRecord): Promise<void>;
  delete(pluginId: string): Promise<void>;
}

/**
 * Opens the records, which are stored in one file next to the plugins.
 * @param file - path of the file, for example `<state folder>/plugin-installs.json`
 */
export function installRecords(file: string): InstallRecords {
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
  const write = async (records: ReadonlyMap<string, InstallRecord>) => {
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify([...records.values()], null, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  };
  return {
    get: async (pluginId) => (await read()).get(pluginId),
    list: async () => [...(await read()).values()],
    set: async (record) => write((await read()).set(record.pluginId, record)),
    async delete(pluginId) {
      const records = await read();
      if (records.delete(pluginId)) await write(records);
    },
  };
}

/**
 * Returns the SHA-256 over names and contents of all files in a folder, in the order of their names.
 * @param dir - absolute path of the folder
 */
export async function digestFiles(dir: string): Promise<string> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) {
    const name = relative(dir, file).split(sep).join("/");
    const content = await readFile(file);
    hash.update(`${name.length}:${name}${content.length}:`).update(content);
  }
  return hash.digest("hex");
}
