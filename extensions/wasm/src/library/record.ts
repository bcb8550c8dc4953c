import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "@openclaw/plugin-sdk/kit";

/** Trust in the source of a component (WASM-042). */
export type TrustLevel = "bundled" | "verified" | "user";

/** Record of an installed component. */
export interface InstallRecord {
  /** Hash of the component. */
  readonly hash: string;
  /** Hash of its capabilities file; undefined without one. */
  readonly capabilitiesHash?: string | undefined;
  readonly trust: TrustLevel;
  /** File, folder or URL; `found` for a component that was put into the folder. */
  readonly source: string;
  /** Permissions that were accepted, as they were shown. */
  readonly accepted: readonly string[];
  /** True while its files are replaced: after a crash they may be those of two versions. */
  readonly isPending?: boolean | undefined;
}

const FILE = ".installed.json";

/** Records of the components of a folder, in a file in the same folder. */
export class InstallRecords {
  readonly #file: string;

  /** @param folder - folder of the components */
  constructor(folder: string) {
    this.#file = join(folder, FILE);
  }

  /** Returns the records by name; none when the file does not exist or cannot be read. */
  async read(): Promise<ReadonlyMap<string, InstallRecord>> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#file, "utf8"));
      const entries = Object.entries(isRecord(value) ? value : {});
      return new Map(
        entries.filter((entry): entry is [string, InstallRecord] => isInstall(entry[1])),
      );
    } catch {
      return new Map();
    }
  }

  /**
   * Replaces one record.
   * @param name - name of the component
   * @param record - undefined removes it
   */
  async write(name: string, record: InstallRecord | undefined): Promise<void> {
    const records = new Map(await this.read());
    if (record === undefined) records.delete(name);
    else records.set(name, record);
    await replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`);
  }
}

/**
 * Replaces a file at once, so that readers see the old or the new content.
 * @param file - path; its folder is created
 * @param content - new content
 */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const staged = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await writeFile(staged, content);
    await rename(staged, file);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
}

function isInstall(value: unknown): value is InstallRecord {
  return isRecord(value) && typeof value.hash === "string" && Array.isArray(value.accepted);
}
