// Records which sources a build was made of.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AREAS, ROOT } from "./packages.mjs";

/** Returns a digest of the names, sizes and times of everything that the build reads. */
export function sourcesDigest() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "tsconfig.base.json"]) addFile(hash, join(ROOT, file));
  for (const area of AREAS) {
    for (const name of readdirSync(join(ROOT, area)).sort()) {
      const folder = join(ROOT, area, name);
      addFile(hash, join(folder, "package.json"));
      addFile(hash, join(folder, "tsup.config.ts"));
      addFolder(hash, join(folder, "src"));
    }
  }
  return hash.digest("hex");
}

/**
 * Returns the digest of the sources of the last build; undefined when there was none.
 * @param name - name of the build
 */
export function readStamp(name) {
  try {
    return readFileSync(fileOf(name), "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Records the digest of a build.
 * @param name - name of the build
 * @param digest - digest of its sources
 */
export function writeStamp(name, digest) {
  mkdirSync(dirname(fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), digest);
}

function fileOf(name) {
  return join(ROOT, "node_modules/.cache", name);
}

function addFolder(hash, folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path);
    else addFile(hash, path);
  }
}

function addFile(hash, path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
}
