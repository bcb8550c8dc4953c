import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The fields of a package.json that the rules of the repository read. */
export interface PackageManifest {
  readonly name: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A package of this repository. */
export interface WorkspacePackage {
  /** Folder relative to the repository, such as `packages/store`. */
  readonly dir: string;
  readonly manifest: PackageManifest;
}

/**
 * Returns the packages of the repository, sorted by folder.
 * @param root - folder of the repository, absolute
 */
export function workspacePackages(root: string): WorkspacePackage[] {
  return globSync("{packages,extensions,apps}/*/package.json", { cwd: root })
    .map((file) => ({
      dir: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), "utf8")) as PackageManifest,
    }))
    .sort((a, b) => (a.dir < b.dir ? -1 : 1));
}
