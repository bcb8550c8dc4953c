import type { PluginRecord } from "@openclaw/plugin-runtime";
import { PluginSourceError } from "../errors.js";
import { isFirstParty } from "./first-party.js";
import { readPackage } from "./package-manifest.js";
import type { StagedPlugin } from "./source.js";

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
