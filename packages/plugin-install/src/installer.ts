import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { defined, type Mutex } from "@openclaw/foundation";
import type { DiscoveredPlugin } from "@openclaw/plugin-discovery";
import type { PluginReload, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { leftOutFinding } from "./archive/left-out-files.js";
import { codeDifference } from "./code-difference.js";
import { floatingDependencies, installDependencies } from "./dependencies.js";
import { allowedDependencySources } from "./dependency-source.js";
import { PluginInstallRefusedError } from "./errors.js";
import {
  assertHarmless,
  assertSameRelease,
  assertScanned,
  assertThirdParty,
  assertUpdated,
  bundledPlugin,
  readManifest,
} from "./install-checks.js";
import { withoutStagingFolder } from "./install-failure.js";
import { type InstallFolders, type InstallRecord, installFolder } from "./install-records.js";
import { digestOfInventory, type FileInventory, readInventory } from "./inventory.js";
import { assertListed, completeManifest } from "./marketplaces/listed-plugin.js";
import type { Marketplaces } from "./marketplaces/marketplaces.js";
import type { NetworkPort } from "./marketplaces/repository-url.js";
import { adviseVersion } from "./other-versions.js";
import { type PlacementPorts, placePlugin, removeFolder } from "./placement.js";
import { type PluginScan, scanPlugin } from "./scan.js";
import { discardStaged, parsePluginSpecifier, type StagedPlugin, stagePlugin } from "./source.js";
import { sweepStaging } from "./staging-sweep.js";
import { assertSelfContained } from "./tree.js";
import { type UpdateChanges, updateChanges, usesToConsent } from "./update-changes.js";

/** Dependencies of an installer. */
export interface InstallerHost {
  readonly plugins: Pick<PluginRuntime, "hooks" | "visibleConfig" | "current">;
  readonly state: InstallFolders;
  readonly logger: Logger;
  /** Version of the host, compared with the manifests of other versions of a plugin. */
  readonly hostVersion?: string | undefined;
  now(): number;
}

/** Dependencies of an installer that its caller creates. */
export interface InstallerPorts extends PlacementPorts {
  readonly marketplaces: Pick<Marketplaces, "find">;
  /** Network check for repositories that a marketplace names. */
  readonly network: NetworkPort;
  /** Changes of files and plugins run one after another. */
  readonly mutex: Mutex;
}

/** Options of an install. */
export interface InstallOptions {
  /** Base folder of relative paths. */
  readonly cwd: string;
  /** Installs despite critical findings of the built-in scan; hooks still decide. */
  readonly force?: boolean | undefined;
  /** Accepts permissions that the new version adds. */
  readonly accept?: boolean | undefined;
  /** ID of the installed plugin that is updated; another plugin is rejected. */
  readonly updates?: string | undefined;
  /** Returns the differences from the installed version, and installs nothing. */
  readonly preview?: boolean | undefined;
}

/** Outcome of an install. */
export type InstallOutcome =
  | {
      outcome: "installed";
      pluginId: string;
      load: PluginReload;
      findings: readonly InstallFinding[];
      /** Differences from the version that was installed before; absent for the first install. */
      changes?: UpdateChanges;
      /** Sentence that names a version of a limited plugin that fits, or reports that none was found. */
      advice?: string;
    }
  /**
   * An update that requests more permissions, where the installed version stays (PLUG-047), a bundle that starts programs
   * or reaches hosts (EXT-534), or a plugin of a marketplace with permissions, neither installed without consent.
   */
  | { outcome: "permissions-added"; pluginId: string; changes: UpdateChanges }
  /** The differences of an update that was only looked at (PLUG-561). */
  | { outcome: "previewed"; pluginId: string; changes: UpdateChanges }
  /** A package of this project that is part of the installation. */
  | { outcome: "bundled"; pluginId: string };

/** Installs and removes plugins of the state folder. */
export interface PluginInstaller {
  /**
   * Unpacks a plugin into a staging folder, scans it, runs `before_install`, and moves it into place in one
   * step. No code of the plugin runs, including install scripts.
   * @param specifier - npm name, git URL, archive, file, folder, or `<plugin>@<marketplace>`
   * @param options - base folder of relative paths, and accepted risks
   * @throws PluginSourceError, PluginInstallRefusedError
   */
  install(specifier: string, options: InstallOptions): Promise<InstallOutcome>;
  /**
   * Removes an installed plugin's files and record. The caller holds the mutex.
   * @param pluginId - the plugin
   * @returns false when it was not installed here
   */
  remove(pluginId: string): Promise<boolean>;
  /**
   * Records the current files of an installed plugin as those that were installed. The caller holds the mutex.
   * @param record - record of the plugin
   */
  accept(record: InstallRecord): Promise<void>;
}

/**
 * Creates the installer of a host.
 * @param host - hooks, state folder, log and clock
 * @param ports - records, mutex, and the load of an installed plugin
 */
export function createPluginInstaller(host: InstallerHost, ports: InstallerPorts): PluginInstaller {
  const { extensionsDir } = host.state;
  const { records, mutex } = ports;
  const stagingDir = join(host.state.dir, "staging");
  const folderOf = (pluginId: string) => installFolder(host.state, pluginId);
  const swept = sweepStaging(stagingDir).then(
    (removed) => {
      if (removed.length === 0) return;
      host.logger.info("files of killed installations were removed", { folders: removed });
    },
    (error: unknown) => host.logger.warn("staging folders could not be swept", { error }),
  );

  async function install(specifier: string, options: InstallOptions): Promise<InstallOutcome> {
    const listed = await ports.marketplaces.find(specifier);
    const source = listed?.source ?? (await parsePluginSpecifier(specifier, options.cwd));
    if (source.kind === "first-party") {
      const pluginId = await bundledPlugin(host.plugins.current.plugins, source.name, specifier);
      return { outcome: "bundled", pluginId };
    }
    await swept;
    await mkdir(stagingDir, { recursive: true, mode: 0o700 });
    await mkdir(extensionsDir, { recursive: true, mode: 0o700 });
    const staged = await stagePlugin(source, specifier, stagingDir, ports.network);
    try {
      assertThirdParty(staged);
      if (listed !== undefined) await completeManifest(staged.dir, listed);
      const plugin = await readManifest(staged);
      assertUpdated(plugin.id, options);
      await assertOwnId(plugin.id);
      const before = await records.get(plugin.id);
      if (listed !== undefined) assertListed(plugin, listed, before?.version, options);
      const floating = await floatingDependencies(staged.dir);
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
      const files = await readInventory(staged.dir);
      const installed = before && (await installedVersion(before));
      const changes = installed && updateChanges(installed, { ...plugin, files });
      const asked = changes ?? usesToConsent(plugin, listed !== undefined);
      const isAsking = (asked?.permissions.added.length ?? 0) > 0 && !options.accept;
      if (asked !== undefined && (isAsking || options.preview === true)) {
        const code = installed && (await codeDifference(installed, { dir: staged.dir, files }));
        const outcome = isAsking ? "permissions-added" : "previewed";
        return { outcome, pluginId: plugin.id, changes: { ...asked, ...defined({ code }) } };
      }
      const record: InstallRecord = {
        pluginId: plugin.id,
        requested: listed === undefined && "path" in source ? source.path : specifier,
        kind: staged.kind,
        filesDigest: digestOfInventory(files),
        installedAt: host.now(),
        permissions: plugin.permissions,
        ...defined({
          packageVersion: staged.packageVersion,
          version: plugin.version,
          integrity: staged.integrity,
          marketplace: listed?.marketplace,
        }),
      };
      const target = folderOf(plugin.id);
      const checked = { staged, target, record, files };
      const load = await mutex.run(() => placePlugin(checked, ports)).catch(advised(staged));
      const advice = await adviceFor(staged, plugin.id, load);
      host.logger.info(`plugin "${plugin.id}" was installed from ${specifier}`, {
        pluginId: plugin.id,
      });
      return {
        outcome: "installed",
        pluginId: plugin.id,
        load,
        findings: [...floating, ...leftOutFinding(staged.leftOut ?? []), ...findings],
        ...defined({ changes, advice }),
      };
    } catch (error) {
      throw withoutStagingFolder(error, staged);
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

  /** Adds to the error for a rejected package from the registry whether another version fits. */
  function advised(staged: StagedPlugin): (error: unknown) => Promise<never> {
    return async (error) => {
      const isRefusal = PluginInstallRefusedError.isInstance(error) && error.versionMatters;
      if (!isRefusal || staged.kind !== "plugin-npm") throw error;
      throw error.withAdvice(
        await adviseVersion(staged, { stagingDir, hostVersion: host.hostVersion }),
      );
    };
  }

  /** Looks for a version without limits when the installed one imports parts of the SDK that this host lacks. */
  async function adviceFor(
    staged: StagedPlugin,
    pluginId: string,
    { generation }: PluginReload,
  ): Promise<string | undefined> {
    const isLimited = generation.diagnostics.some(
      ({ code, pluginId: about }) => code === "sdk-parts-missing" && about === pluginId,
    );
    if (!isLimited || staged.kind !== "plugin-npm") return undefined;
    return adviseVersion(staged, { stagingDir, hostVersion: host.hostVersion });
  }

  /**
   * Rejects the ID of a plugin at another place, which would win or be replaced without notice. A bundled one may be
   * replaced; whether it is shows the load.
   */
  async function assertOwnId(pluginId: string): Promise<void> {
    const folder = folderOf(pluginId);
    const own = await realpath(folder).catch(() => folder);
    const other = host.plugins.current.plugins.find(
      ({ id, rootDir, origin }) => id === pluginId && rootDir !== own && origin !== "bundled",
    );
    if (other === undefined) return;
    throw new PluginInstallRefusedError(
      pluginId,
      `a plugin with this ID exists already (${other.origin}, ${other.rootDir})`,
      "remove that one first, or give this plugin another id in its manifest",
    );
  }

  /** Files on disk count as the old version, not their record, since they are what an update replaces. */
  async function installedVersion(before: InstallRecord) {
    const dir = folderOf(before.pluginId);
    const earlier = await records.files(before);
    const files: FileInventory = await readInventory(dir, earlier).catch(() => ({}));
    return { dir, files, permissions: before.permissions };
  }

  return {
    install,
    async remove(pluginId) {
      if ((await records.get(pluginId)) === undefined) return false;
      await removeFolder(folderOf(pluginId));
      await records.delete(pluginId);
      return true;
    },
    async accept(record) {
      const files = await readInventory(folderOf(record.pluginId));
      await records.set({ ...record, filesDigest: digestOfInventory(files) }, files);
    },
  };
}
