import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { PluginSourceError } from "./errors.js";

/** Limits of an installed plugin with all its dependencies. */
const MAXIMUM_ENTRIES = 100_000;
const MAXIMUM_BYTES = 1024 * 1024 * 1024;

/**
 * Checks a complete plugin including `node_modules`: it contains only files and folders, its links stay
 * inside it, and its size is within limits.
 * @param dir - absolute path of the plugin's folder
 * @param requested - specifier as the operator wrote it
 * @throws PluginSourceError
 */
export async function assertSelfContained(dir: string, requested: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  if (entries.length > MAXIMUM_ENTRIES) throw tooLarge(requested);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    if (entry.isFile()) {
      bytes += (await lstat(path)).size;
      if (bytes > MAXIMUM_BYTES) throw tooLarge(requested);
    } else if (!entry.isSymbolicLink() || !(await staysInside(path, dir))) {
      throw new PluginSourceError(
        requested,
        `${relative(dir, path)} is a link that leaves the plugin's folder, or not a regular file`,
        "replace it with the file that it refers to",
      );
    }
  }
}

/**
 * Returns true for a relative link inside the folder; an absolute one would break when the plugin is moved.
 */
async function staysInside(link: string, dir: string): Promise<boolean> {
  if (isAbsolute(await readlink(link))) return false;
  try {
    return (await realpath(link)).startsWith((await realpath(dir)) + sep);
  } catch {
    // The link is broken or circular.
    return false;
  }
}

function tooLarge(requested: string): PluginSourceError {
  const bounds = `${MAXIMUM_ENTRIES} files and ${MAXIMUM_BYTES / 1024 / 1024} MiB`;
  return new PluginSourceError(
    requested,
    `with its dependencies it is larger than ${bounds}`,
    "ask the plugin's author for a smaller release",
  );
}
