import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the SHA-256 of the names and contents of a package's sources.
 * @param dir - folder of the package
 */
export function sourcesDigest(dir: string): string {
  const hash = createHash("sha256");
  for (const file of globSync("src/**/*.ts", { cwd: dir }).toSorted()) {
    hash.update(`${file}\0${readFileSync(join(dir, file), "utf8")}\0`);
  }
  return hash.digest("hex");
}
