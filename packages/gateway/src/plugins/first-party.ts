import type { PluginRecord } from "@openclaw/plugin-runtime";
import { PluginSourceError } from "../errors.js";
import { readPackage } from "./package-manifest.js";
import type { StagedPlugin } from "./source.js";

/** Names of this project in the npm registry; until it publishes there, they belong to another publisher. */
const FIRST_PARTY = /^(?:openclaw|create-openclaw-plugin|@openclaw\/[^@]+)$/;

/**
 * Returns true for the name of a package of this project, which is taken from the installation and never from a
 * registry.
 * @param name - package name without version
 */
export function isFirstParty(name: string): boolean {
  return FIRST_PARTY.test(name);
}

/**
 * Returns the package name of a specifier for the npm registry; undefined for the URL of an archive.
 * @param specifier - for example `@scope/name@1.2.3`, with or without `npm:`
 */
export function registryName(specifier: string): string | undefined {
  return /^(?:npm:)?((?:@[\w.~-]+\/)?[\w.~-]+)(?:@.*)?$/.exec(specifier)?.[1];
}

/**
 * Finds the plugin of a package of this project in the installation.
 * @param plugins - plugins of the host
 * @param name - package name
 * @param requested - specifier as the operator wrote it
 * @returns the ID of the plugin
 * @throws PluginSourceError when the installation has no such package
 */
export async function bundledPlugin(
  plugins: readonly Pick<PluginRecord, "id" | "origin" | "rootDir">[],
  name: string,
  requested: string,
): Promise<string> {
  const bundled = plugins.filter(({ origin }) => origin === "bundled");
  const names = await Promise.all(
    bundled.map(async ({ rootDir }) => (await readPackage(rootDir))?.name),
  );
  const plugin = bundled[names.indexOf(name)];
  if (plugin !== undefined) return plugin.id;
  const offered = names.filter((each) => each !== undefined && isFirstParty(each));
  throw new PluginSourceError(
    requested,
    `"${name}" is not part of this installation, and the npm registry has the name from another publisher`,
    `use one of ${offered.join(", ") || "the bundled plugins"}, or install a folder or an archive`,
  );
}

/**
 * Rejects an archive of the registry to which another publisher gave a name of this project.
 * @param staged - unpacked plugin
 * @throws PluginSourceError
 */
export function assertThirdParty({ kind, packageName, requested }: StagedPlugin): void {
  if (kind !== "plugin-npm" || packageName === undefined || !isFirstParty(packageName)) return;
  throw new PluginSourceError(
    requested,
    `it contains "${packageName}", a name of this project that another publisher has in the npm registry`,
    "install a folder or an archive that you built",
  );
}
