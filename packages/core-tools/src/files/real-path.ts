import { readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { ToolRefusalError } from "../errors.js";
import { systemErrorCode } from "../system-error.js";

const MAX_LINKS = 40;
/** Longest path that file systems take, in bytes. */
const MAX_PATH = 4096;

/** Error codes of `readlink` for a path that is not a symbolic link or does not exist. */
const NOT_A_LINK = new Set(["EINVAL", "UNKNOWN", "ENOENT", "ENOTDIR"]);

/**
 * Resolves a path as the kernel does: follows every symbolic link and applies `..` after the link before
 * it. Unlike `fs.realpath` it also resolves a path whose last parts do not exist yet, so a dangling link
 * leads to the file that a write would create.
 * @param path - an absolute path
 * @returns an absolute path without links; parts that do not exist are kept as spelled
 * @throws ToolRefusalError when the path is longer than 4096 bytes or passes through more than 40 links
 */
export async function realPathOf(path: string): Promise<string> {
  if (path.length > MAX_PATH || Buffer.byteLength(path) > MAX_PATH) {
    throw new ToolRefusalError(
      "invalid-value",
      `The path has ${path.length} characters; at most ${MAX_PATH} bytes are possible. Give a shorter path.`,
    );
  }
  let current = parse(path).root;
  let links = 0;
  const pending = namesOf(path);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, name);
    const target = await linkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) {
      throw new ToolRefusalError(
        "invalid-value",
        `The path passes through more than ${MAX_LINKS} symbolic links, probably in a circle. Give a path without them.`,
      );
    }
    if (isAbsolute(target)) current = parse(target).root;
    pending.push(...namesOf(target));
  }
  return current;
}

/** Returns the names of a path, last one first, ready to be popped. */
function namesOf(path: string): string[] {
  const names = path.slice(parse(path).root.length).split(sep);
  return names.filter((name) => name !== "" && name !== ".").reverse();
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (NOT_A_LINK.has(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}
