import { comparePermissions, type DeclaredPermissions } from "@openclaw/plugin-discovery";
import type { CodeDifference } from "./code-difference.js";
import type { FileChanges, FileInventory } from "./inventory.js";
import { compareInventories, executables } from "./inventory.js";

/** Differences between the installed version of a plugin and another one (PLUG-047, PLUG-081). */
export interface UpdateChanges {
  /** Files that a program can execute; a dependency is one entry, `node_modules/<name>`. */
  readonly files: FileChanges;
  /** Permissions in the form `<kind>: <value>`. */
  readonly permissions: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Lines that differ; only where the new version is not installed yet. */
  readonly code?: CodeDifference;
}

/** State of one version of a plugin. */
export interface PluginVersion {
  readonly files: FileInventory;
  readonly permissions: DeclaredPermissions | undefined;
}

const DEPENDENCY = /^node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Compares two versions of a plugin.
 * @param before - installed version
 * @param after - version that replaces it
 */
export function updateChanges(before: PluginVersion, after: PluginVersion): UpdateChanges {
  return {
    files: compareExecutables(before.files, after.files),
    permissions: comparePermissionLines(before.permissions, after.permissions),
  };
}

/**
 * Returns what a person agrees to before the first install: what a bundle of another tool starts and reaches (EXT-534), and
 * all permissions of another plugin of a marketplace (EXT-545).
 * @param plugin - permissions, and whether it is a bundle
 * @param isListed - true when a marketplace offers it
 * @returns undefined when no consent is needed
 */
export function usesToConsent(
  {
    permissions = {},
    isBundle = false,
  }: Pick<PluginVersion, "permissions"> & { readonly isBundle?: boolean | undefined },
  isListed: boolean,
): UpdateChanges | undefined {
  if (!isBundle && !isListed) return undefined;
  const { exec = [], secrets = [], "network.hosts": hosts = [] } = permissions;
  const uses = isBundle ? { exec, secrets, "network.hosts": hosts } : permissions;
  const { added } = comparePermissions({}, uses);
  return {
    files: { added: [], changed: [], removed: [] },
    permissions: { added: added.map(({ kind, value }) => `${kind}: ${value}`), removed: [] },
  };
}

function comparePermissionLines(
  before: DeclaredPermissions | undefined,
  after: DeclaredPermissions | undefined,
): UpdateChanges["permissions"] {
  if (before === undefined || after === undefined) return { added: [], removed: [] };
  const lines = (from: DeclaredPermissions, to: DeclaredPermissions) =>
    comparePermissions(from, to).added.map(({ kind, value }) => `${kind}: ${value}`);
  return { added: lines(before, after), removed: lines(after, before) };
}

function compareExecutables(before: FileInventory, after: FileInventory): FileChanges {
  const changes = compareInventories(executables(before), executables(after));
  const own = (files: readonly string[]) => files.filter((file) => !DEPENDENCY.test(file));
  const touched = Object.values(changes).flatMap((files: readonly string[]) =>
    files.flatMap((file) => DEPENDENCY.exec(file)?.[0] ?? []),
  );
  const [was, is] = [dependenciesOf(before), dependenciesOf(after)];
  const dependencies = [...new Set(touched)].sort();
  return {
    added: [...own(changes.added), ...dependencies.filter((name) => !was.has(name))],
    changed: [
      ...own(changes.changed),
      ...dependencies.filter((name) => was.has(name) && is.has(name)),
    ],
    removed: [...own(changes.removed), ...dependencies.filter((name) => !is.has(name))],
  };
}

function dependenciesOf(files: FileInventory): ReadonlySet<string> {
  return new Set(Object.keys(files).flatMap((file) => DEPENDENCY.exec(file)?.[0] ?? []));
}
