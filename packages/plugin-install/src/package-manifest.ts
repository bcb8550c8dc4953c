import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Part of a `package.json` that an install reads. */
export interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Reads the `package.json` of a folder.
 * @param dir - absolute path of the folder
 * @returns the manifest; undefined without one, and for one without an object, which the manifest check reports
 */
export async function readPackage(dir: string): Promise<PackageManifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
    return typeof read === "object" && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
