import type { DiscoveredPlugin } from "@openclaw/plugin-discovery";
import { createPluginRuntime, type PluginRecord } from "@openclaw/plugin-runtime";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { PluginInstallRefusedError, PluginSourceError } from "./errors.js";
import { firstPartyName, isFirstParty } from "./first-party.js";
import type { InstallRecord } from "./install-records.js";
import { readPackage } from "./package-manifest.js";
import type { PluginScan } from "./scan.js";
import type { StagedPlugin } from "./source.js";

/**
 * Reads the staged manifest in the same way as a load, without running anything.
 * @param staged - unpacked plugin
 * @throws PluginInstallRefusedError when it has no usable manifest
 */
export async function readManifest(staged: StagedPlugin): Promise<DiscoveredPlugin> {
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const runtime = createPluginRuntime({ config: {}, logger, extraPaths: [staged.dir] });
  const { plugins, diagnostics } = await runtime.discover();
  const [plugin] = plugins;
  if (plugin === undefined || "error" in plugin) {
    const problem = diagnostics.find(({ level }) => level === "error")?.message;
    // Without a manifest the ID of the plugin is the name of the staging folder.
    const id = staged.packageName ?? staged.requested;
    throw new PluginInstallRefusedError(
      id,
      problem ?? "it has no manifest",
      "a plugin needs an openclaw.plugin.json with an id, or the files of a bundle of Claude Code, Codex, Cursor or Gemini CLI",
    );
  }
  return plugin;
}

/**
 * Checks that an update is one of the installed plugin.
 * @param id - ID of the new version
 * @param options - ID of the plugin that is updated, if any
 * @throws PluginInstallRefusedError
 */
export function assertUpdated(
  id: string,
  { updates }: { readonly updates?: string | undefined },
): void {
  if (updates === undefined || updates === id) return;
  throw new PluginInstallRefusedError(
    updates,
    `the new version is another plugin, "${id}"`,
    `restore the id "${updates}" in its manifest, or install it with \`openclaw plugins install\``,
  );
}

/**
 * Checks that a scan could read every file.
 * @param pluginId - the plugin
 * @param scan - result of the scan
 * @throws PluginInstallRefusedError
 */
export function assertScanned(pluginId: string, { status, error }: PluginScan): void {
  if (status === "ok") return;
  throw new PluginInstallRefusedError(pluginId, `the scan failed (${error})`, "try again");
}

/**
 * Checks that a plugin has no critical finding, unless the operator accepts it.
 * @param pluginId - the plugin
 * @param findings - findings of the scan and of plugins
 * @param options - `force` accepts critical findings
 * @throws PluginInstallRefusedError
 */
export function assertHarmless(
  pluginId: string,
  findings: readonly InstallFinding[],
  { force = false }: { readonly force?: boolean | undefined },
): void {
  const critical = findings.find(({ severity }) => severity === "critical");
  if (critical === undefined || force) return;
  const { file, line, message } = critical;
  throw new PluginInstallRefusedError(
    pluginId,
    `${file}:${line} ${message}`,
    "inspect the file, and install with --force if you trust it",
  );
}

/**
 * Checks that npm serves the same content for a version as before; a release never changes.
 * @param plugin - manifest of the plugin
 * @param staged - unpacked plugin
 * @param before - record of the installed version
 * @throws PluginInstallRefusedError
 */
export function assertSameRelease(
  { id }: DiscoveredPlugin,
  { kind, packageVersion, integrity }: StagedPlugin,
  before: InstallRecord | undefined,
): void {
  const isSameRelease = kind === "plugin-npm" && packageVersion === before?.packageVersion;
  if (!isSameRelease || before?.kind !== kind || before.integrity === integrity) return;
  throw new PluginInstallRefusedError(
    id,
    `version ${packageVersion} now has the integrity ${integrity} instead of ${before.integrity}`,
    "ask the plugin's author for the reason, and install with --force if you trust it",
  );
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
  const importName = firstPartyName(name);
  const isNamed = (each: string | undefined) =>
    each !== undefined && firstPartyName(each) === importName;
  const plugin = bundled[names.findIndex(isNamed)];
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
