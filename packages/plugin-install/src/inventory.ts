import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { isProgram } from "./scan.js";

/** State of one file or link of a plugin. */
export interface InventoryEntry {
  /** SHA-256 of its content, or of the target of a link. */
  readonly digest: string;
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last change of content or status, in milliseconds since the epoch; programs cannot set it. */
  readonly changedAt: number;
  /** True for a source file, a script, and a file with an execute permission. */
  readonly executable: boolean;
}

/** Files of a plugin by relative path with `/`, dependencies included. */
export type FileInventory = Readonly<Record<string, InventoryEntry>>;

/** Differences between two inventories, as relative paths in alphabetical order. */
export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Number of files that are read at the same time. */
const PARALLEL_READS = 8;
const EXECUTE = 0o111;

/**
 * Reads the inventory of a folder. A file whose size and time of change equal those of an earlier inventory is
 * not read again.
 * @param dir - absolute path of the folder
 * @param earlier - earlier inventory of the same folder
 */
export async function readInventory(
  dir: string,
  earlier: FileInventory = {},
): Promise<FileInventory> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  const found: [string, InventoryEntry][] = [];
  const next = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const path = join(file.parentPath, file.name);
      const name = relative(dir, path).split(sep).join("/");
      const known = Object.hasOwn(earlier, name) ? earlier[name] : undefined;
      found.push([name, await entryOf(path, name, known)]);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, next));
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function entryOf(
  path: string,
  name: string,
  known: InventoryEntry | undefined,
): Promise<InventoryEntry> {
  const stats = await lstat(path);
  const { size, ctimeMs: changedAt } = stats;
  const executable = isProgram(name) || (stats.isFile() && (stats.mode & EXECUTE) !== 0);
  if (known !== undefined && known.size === size && known.changedAt === changedAt) return known;
  const hash = createHash("sha256");
  if (stats.isSymbolicLink()) hash.update("link:").update(await readlink(path));
  else await pipeline(createReadStream(path), hash);
  return { digest: hash.digest("hex"), size, changedAt, executable };
}

/**
 * Returns the SHA-256 over names and contents of an inventory.
 * @param inventory - files of a plugin
 */
export function digestOfInventory(inventory: FileInventory): string {
  const hash = createHash("sha256");
  for (const [name, { digest }] of Object.entries(inventory)) {
    hash.update(`${name.length}:${name}${digest}`);
  }
  return hash.digest("hex");
}

/**
 * Compares two inventories by content.
 * @param before - earlier files
 * @param after - later files
 */
export function compareInventories(before: FileInventory, after: FileInventory): FileChanges {
  const names = Object.keys(after);
  return {
    added: names.filter((name) => !Object.hasOwn(before, name)),
    changed: names.filter(
      (name) => Object.hasOwn(before, name) && before[name]?.digest !== after[name]?.digest,
    ),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  };
}

/**
 * Returns the part of an inventory that a program can execute.
 * @param inventory - files of a plugin
 */
export function executables(inventory: FileInventory): FileInventory {
  return Object.fromEntries(Object.entries(inventory).filter(([, { executable }]) => executable));
}
