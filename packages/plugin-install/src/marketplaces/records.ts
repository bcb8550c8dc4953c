import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import { StateFolderError } from "@openclaw/store/errors";
import type { InstallFolders } from "../install-records.js";

/** Marketplace that an operator added. */
export interface MarketplaceRecord {
  readonly name: string;
  /** Absolute path of a folder, git specifier, or URL of a `marketplace.json`. */
  readonly source: string;
  readonly kind: "folder" | "git" | "url";
  /** Commit that is on disk; only for git. */
  readonly commit?: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Marketplaces of one state folder. */
export interface MarketplaceRecords {
  list(): Promise<readonly MarketplaceRecord[]>;
  set(record: MarketplaceRecord): Promise<void>;
  /** Removes a marketplace with its files. */
  delete(name: string): Promise<void>;
  /**
   * Returns the folder with the files of a marketplace that was fetched.
   * @param name - name of the marketplace
   */
  folder(name: string): string;
}

/**
 * Opens the marketplaces of a state folder: one file with the list, and a folder for each that was fetched.
 * @param state - state folder
 */
export function marketplaceRecords({ dir }: Pick<InstallFolders, "dir">): MarketplaceRecords {
  const file = join(dir, "marketplaces.json");
  const folder = (name: string) => join(dir, "marketplaces", name);
  const read = async (): Promise<Map<string, MarketplaceRecord>> => {
    try {
      const records = JSON.parse(await readFile(file, "utf8")) as MarketplaceRecord[];
      return new Map(records.map((record) => [record.name, record]));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      throw new StateFolderError(
        dirname(file),
        "contains a list of marketplaces that cannot be read",
        {
          nextStep: `fix ${file}, or move it away and add the marketplaces again`,
          cause,
        },
      );
    }
  };
  const write = (records: ReadonlyMap<string, MarketplaceRecord>) =>
    writePrivateFile(file, `${JSON.stringify([...records.values()], null, 2)}\n`);
  return {
    list: async () => [...(await read()).values()],
    async set(record) {
      write((await read()).set(record.name, record));
    },
    async delete(name) {
      const records = await read();
      if (records.delete(name)) write(records);
      await rm(folder(name), { recursive: true, force: true });
    },
    folder,
  };
}
