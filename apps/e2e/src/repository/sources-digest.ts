import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a comment. A change of words alone changes nothing that runs. */
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*(?: |\/|$)).*\n/gm;

/**
 * Returns the SHA-256 of the names and the code of a package's sources.
 * @param dir - folder of the package
 */
export function sourcesDigest(dir: string): string {
  const hash = createHash("sha256");
  for (const file of globSync("src/**/*.ts", { cwd: dir }).toSorted()) {
    const code = readFileSync(join(dir, file), "utf8").replace(COMMENT, "");
    hash.update(`${file}\0${code}\0`);
  }
  return hash.digest("hex");
}
