import { createPluginRuntime, type DiscoveredPlugin } from "@openclaw/plugin-runtime";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { PluginInstallRefusedError } from "../errors.js";
import type { InstallRecord } from "./install-records.js";
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
    const id = plugin?.id ?? staged.packageName ?? staged.requested;
    throw new PluginInstallRefusedError(
      id,
      problem ?? "it has no manifest",
      "a plugin needs an openclaw.plugin.json with an id",
    );
  }
  return plugin;
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
