import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { defined, Mutex } from "@openclaw/foundation";
import {
  comparePermissions,
  createPluginRuntime,
  type DeclaredPermissions,
  type DiscoveredPlugin,
  type PluginRuntime,
} from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { PluginInstallRefusedError } from "../errors.js";
import type { StateFolder } from "../state/folder.js";
import { installDependencies } from "./dependencies.js";
import { allowedDependencySources } from "./dependency-source.js";
import { digestFiles, type InstallRecord, installRecords } from "./integrity.js";
import { type PluginScan, scanPlugin } from "./scan.js";
import { discardStaged, parsePluginSpecifier, type StagedPlugin, stagePlugin } from "./source.js";
import { assertSelfContained } from "./tree.js";

/** Dependencies of an installer. */
export interface InstallerHost {
  readonly plugins: Pick<PluginRuntime, "hooks" | "visibleConfig">;
  readonly state: StateFolder;
  readonly logger: Logger;
  now(): number;
}

/** Options of an install. */
export interface InstallOptions {
  /** Base folder of relative paths. */
  readonly cwd: string;
  /** Installs despite critical findings of the built-in scan; hooks still decide. */
  readonly force?: boolean | undefined;
  /** Accepts permissions that the new version adds. */
  readonly accept?: boolean | undefined;
}

/** Outcome of an install. */
export type InstallOutcome =
  | { outcome: "installed"; pluginId: string; findings: readonly InstallFinding[] }
  /** An update that requests more permissions; the installed version stays (PLUG-047). */
  | { outcome: "permissions-added"; pluginId: string; added: readonly string[] };

/** Installs and removes plugins of the state folder. */
export interface PluginInstaller {
  /**
   * Unpacks a plugin into a staging folder, scans it, runs `before_install`, and moves it into place in one
   * step. No code of the plugin runs, including install scripts.
   * @param specifier - npm name, git URL, archive, file or folder
   * @param options - base folder of relative paths, and accepted risks
   * @throws PluginSourceError, PluginInstallRefusedError
   */
  install(specifier: string, options: InstallOptions): Promise<InstallOutcome>;
  /**
   * Removes an installed plugin's files and record.
   * @param pluginId - the plugin
   * @returns false when it was not installed here
   */
  remove(pluginId: string): Promise<boolean>;
  /** Returns the records of installed plugins. */
  installed(): Promise<readonly InstallRecord[]>;
}

/**
 * Creates the installer of a host.
 * @param host - hooks, state folder, log and clock
 */
export function createPluginInstaller(host: InstallerHost): PluginInstaller {
  const { extensionsDir } = host.state;
  const stagingDir = join(host.state.dir, "staging");
  const records = installRecords(join(host.state.dir, "plugin-installs.json"));
  const mutex = new Mutex();
  const folderOf = (pluginId: string) => join(extensionsDir, pluginId.replaceAll("/", "__"));

  async function install(specifier: string, options: InstallOptions): Promise<InstallOutcome> {
    await mkdir(stagingDir, { recursive: true, mode: 0o700 });
    await mkdir(extensionsDir, { recursive: true, mode: 0o700 });
    const source = await parsePluginSpecifier(specifier, options.cwd);
    const staged = await stagePlugin(source, specifier, stagingDir);
    try {
      const plugin = await readManifest(staged);
      const before = await records.get(plugin.id);
      // The plugin is scanned before npm reads any of it, and scanned again with its dependencies.
      const unpacked = await scanPlugin(staged.dir);
      assertScanned(plugin.id, unpacked);
      assertHarmless(plugin.id, unpacked.findings, options);
      const allowed = allowedDependencySources(host.plugins.visibleConfig);
      await installDependencies(staged, { pluginId: plugin.id, allowed });
      await assertSelfContained(staged.dir, staged.requested);
      const scan = await scanPlugin(staged.dir);
      if (options.force !== true) assertSameRelease(plugin, staged, before);
      const mode = before === undefined ? "install" : "update";
      const findings = await decide(plugin, staged, scan, mode, options);
      const added = addedPermissions(before, plugin.permissions);
      if (added.length > 0 && options.accept !== true) {
        return { outcome: "permissions-added", pluginId: plugin.id, added };
      }
      const record: InstallRecord = {
        pluginId: plugin.id,
        requested: "path" in source ? source.path : specifier,
        kind: staged.kind,
        filesDigest: await digestFiles(staged.dir),
        installedAt: host.now(),
        permissions: plugin.permissions,
        ...defined({
          packageVersion: staged.packageVersion,
          version: plugin.version,
          integrity: staged.integrity,
        }),
      };
      await mutex.run(() => commit(staged, folderOf(plugin.id), () => records.set(record)));
      host.logger.info(`plugin "${plugin.id}" was installed from ${specifier}`, {
        pluginId: plugin.id,
      });
      return { outcome: "installed", pluginId: plugin.id, findings };
    } finally {
      await discardStaged(staged);
    }
  }

  /**
   * Applies the scan and the decision of plugins; a check that fails rejects the install.
   * @returns the findings of the scan and of plugins
   */
  async function decide(
    plugin: DiscoveredPlugin,
    staged: StagedPlugin,
    scan: PluginScan,
    mode: "install" | "update",
    options: InstallOptions,
  ): Promise<readonly InstallFinding[]> {
    assertScanned(plugin.id, scan);
    const verdict = await host.plugins.hooks.decide(
      "before_install",
      {
        targetType: "plugin",
        targetName: plugin.name,
        sourcePath: staged.dir,
        sourcePathKind: "directory",
        request: { kind: staged.kind, mode, requestedSpecifier: staged.requested },
        builtinScan: scan,
        plugin: {
          pluginId: plugin.id,
          contentType: "code",
          permissions: { ...plugin.permissions },
          ...defined({ packageName: staged.packageName, version: plugin.version }),
        },
      },
      {
        targetType: "plugin",
        requestKind: staged.kind,
        callDepth: 0,
        config: host.plugins.visibleConfig,
      },
    );
    if (verdict?.block === true) {
      const reason = verdict.blockReason ?? "a plugin blocked the install";
      throw new PluginInstallRefusedError(
        plugin.id,
        reason,
        "resolve the reason, or disable the plugin that blocked it",
      );
    }
    const findings = [...scan.findings, ...(verdict?.findings ?? [])];
    assertHarmless(plugin.id, findings, options);
    return findings;
  }

  return {
    install,
    installed: () => records.list(),
    remove: (pluginId) =>
      mutex.run(async () => {
        if ((await records.get(pluginId)) === undefined) return false;
        await rm(folderOf(pluginId), { recursive: true, force: true });
        await records.delete(pluginId);
        return true;
      }),
  };
}

/** Reads the staged manifest in the same way as a load, without running anything. */
async function readManifest(staged: StagedPlugin): Promise<DiscoveredPlugin> {
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

function addedPermissions(before: InstallRecord | undefined, after: DeclaredPermissions): string[] {
  if (before?.permissions === undefined) return [];
  const { added } = comparePermissions(before.permissions, after);
  return added.map(({ kind, value }) => `${kind}: ${value}`);
}

function assertScanned(pluginId: string, { status, error }: PluginScan): void {
  if (status === "ok") return;
  throw new PluginInstallRefusedError(pluginId, `the scan failed (${error})`, "try again");
}

function assertHarmless(
  pluginId: string,
  findings: readonly InstallFinding[],
  { force = false }: InstallOptions,
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

/** Checks that npm serves the same content for a version as before; a release never changes. */
function assertSameRelease(
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
 * Moves a plugin into place. A rename is a single step on one disk; an older version is restored when the new
 * one cannot be moved or recorded.
 */
async function commit(
  staged: StagedPlugin,
  target: string,
  record: () => Promise<void>,
): Promise<void> {
  const old = `${staged.dir}-old`;
  const replaced = await rename(target, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  try {
    await rename(staged.dir, target);
    await record();
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    if (replaced) await rename(old, target);
    throw error;
  }
}
