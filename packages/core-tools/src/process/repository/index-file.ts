import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../../system-error.js";

/** Maximum number of bytes of an index that is read. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Bytes of an entry before its name: dates, properties, ID and flags. */
const FIXED = 62;
/** Variables with which git takes another repository, folder or index. */
const CHOOSING = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"];

/**
 * Returns the files that the repository of a workspace tracks below a folder, as its index lists them.
 * @param folder - real path of a folder of the workspace
 * @param root - real path of the workspace, which is the root of the repository
 * @returns paths relative to the folder; undefined where only git knows them
 */
export async function trackedBelow(
  folder: string,
  root: string,
): Promise<readonly string[] | undefined> {
  if (CHOOSING.some((name) => process.env[name] !== undefined)) return undefined;
  for (let above = folder; above !== root; above = dirname(above)) {
    // A repository in the workspace has an index of its own.
    if ((await kindOf(join(above, ".git"))) !== "none") return undefined;
  }
  if ((await kindOf(join(root, ".git"))) !== "folder") return undefined;
  if ((await kindOf(join(root, ".git", "commondir"))) !== "none") return undefined;
  const index = await readFile(join(root, ".git", "index")).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const names = index.length === 0 ? [] : namesIn(index);
  const start = folder === root ? "" : `${folder.slice(root.length).replace(/^\/+/, "")}/`;
  return names?.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/** Returns the names in an index; undefined for a version, an entry or an extension that is not known here. */
function namesIn(index: Buffer): string[] | undefined {
  const isKnown = index.length >= 12 && index.length <= MOST_BYTES;
  if (!isKnown || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  if (index.readUInt32BE(4) !== 2) return undefined;
  const names: string[] = [];
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    if (at + FIXED >= index.length) return undefined;
    const flags = index.readUInt16BE(at + FIXED - 2);
    const end = index.indexOf(0, at + FIXED);
    // A file with a conflict, or one with more flags.
    if ((flags & 0x7000) !== 0 || end === -1) return undefined;
    const name = index.toString("utf8", at + FIXED, end);
    if (name.includes("\uFFFD")) return undefined;
    names.push(name);
    // Entries are padded with one to eight zeros.
    at += (FIXED + (end - at - FIXED) + 8) & ~7;
  }
  return hasOnlyOptional(index, at) ? names : undefined;
}

/** Extensions with a small first letter change what the entries mean, for example those of a split index. */
function hasOnlyOptional(index: Buffer, start: number): boolean {
  const HASH = 20;
  for (let at = start; at + 8 <= index.length - HASH; at += 8 + index.readUInt32BE(at + 4)) {
    if (!/^[A-Z]/.test(index.toString("latin1", at, at + 4))) return false;
  }
  return true;
}

async function kindOf(path: string): Promise<"none" | "folder" | "other"> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return "none";
  return found.isDirectory() ? "folder" : "other";
}
