import type { ConfigurationChange, OpenClawConfiguration } from "@openclaw/configuration";
import { defined, Mutex, nearestName } from "@openclaw/foundation";
import { slotsOfKind } from "@openclaw/plugin-discovery";
import {
  assertAccepted,
  createPluginInstaller,
  failedUpdate,
  type InstallerHost,
  type InstallOptions,
  type InstallOutcome,
  type InstallRecord,
  installRecords,
  type Marketplaces,
  PluginInstallRefusedError,
} from "@openclaw/plugin-install";
import {
  examinePlugins,
  PluginNotFoundError,
  type PluginRecord,
  type PluginReload,
  type PluginRuntime,
} from "@openclaw/plugin-runtime";
import { type PluginChange, pluginMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { NetworkClient } from "@openclaw/safety";
import type { PluginStores } from "@openclaw/store";
import { hookFileProblems } from "../diagnostics/hook-file-problems.js";
import type { StateFolder } from "../state/folder.js";
import {
  changeOf,
  details,
  diagnosticsOf,
  findingNote,
  note,
  summary,
} from "./plugin-descriptions.js";

/** Dependencies of {@link createPluginMethods}. */
export interface PluginMethodDependencies extends InstallerHost {
  readonly state: StateFolder;
  readonly plugins: PluginRuntime;
  readonly marketplaces: Marketplaces;
  /** Network check for repositories that a marketplace names. */
  readonly network: NetworkClient;
  /**
   * Reads the configuration, and puts its section `plugins` in force.
   * @returns the configuration for plugins
   * @throws ConfigurationError when it is not valid
   */
  readConfiguration(): Promise<OpenClawConfiguration>;
  /**
   * Changes the section `plugins` of the configuration, and puts it in force except for the plugins.
   * @param changes - changes in the order in which they are made
   * @returns the configuration for plugins
   * @throws ConfigurationError when the configuration with the changes would not be valid
   */
  changeConfiguration(changes: readonly ConfigurationChange[]): Promise<OpenClawConfiguration>;
  /** Stores of plugins; absent when they store nothing. */
  readonly pluginStores?: Pick<PluginStores, "remove"> | undefined;
}

/**
 * Creates the plugin methods.
 * @param host - plugins, configuration file and state folder
 */
export function createPluginMethods(
  host: PluginMethodDependencies,
): MethodRegistry<typeof pluginMethods> {
  const { plugins } = host;
  /** Changes file and plugins together; otherwise one change could be loaded without another. */
  const mutex = new Mutex();
  const records = installRecords(host.state);
  const installer = createPluginInstaller(host, {
    ...{ records, mutex, marketplaces: host.marketplaces, network: host.network },
    async activate(id, before) {
      const load = await plugins.reload(id);
      assertAccepted(load, id, before);
      return load;
    },
    async undone(id) {
      // The plugin is in the list until it is looked for again.
      if (isListed(id)) await plugins.reload(id);
    },
  });
  const isListed = (id: string) => plugins.current.plugins.some((plugin) => plugin.id === id);

  const find = (id: string): PluginRecord => {
    const record = plugins.current.plugins.find((plugin) => plugin.id === id);
    if (record !== undefined) return record;
    const ids = plugins.current.plugins.map((plugin) => plugin.id);
    throw new PluginNotFoundError(id, nearestName(id, ids));
  };

  const recordOf = async (id: string, nextStep: string): Promise<InstallRecord> => {
    const record = await records.get(id);
    if (record !== undefined) return record;
    find(id);
    const reason = "it was not installed with `openclaw plugins install`";
    throw new PluginInstallRefusedError(id, reason, nextStep);
  };

  /** Writes the operator's settings for a plugin, and reloads it. */
  async function configure(
    id: string,
    settings: { enabled?: boolean; allowConversation?: boolean | undefined },
  ): Promise<PluginChange> {
    const entry = ["plugins", "entries", id] as const;
    const { enabled, allowConversation } = settings;
    return mutex.run(async () => {
      const changes: ConfigurationChange[] = [];
      if (enabled !== undefined) changes.push([[...entry, "enabled"], enabled]);
      if (allowConversation !== undefined) {
        changes.push([[...entry, "hooks", "allowConversationAccess"], allowConversation]);
      }
      const slots = enabled === true ? await slotsOf(id, (occupant) => occupant !== id) : [];
      for (const { name } of slots) changes.push([["plugins", "slots", name], id]);
      const config = await host.changeConfiguration(changes);
      const replaced: string[] = [];
      for (const { occupant } of slots) {
        if (occupant === undefined || !isListed(occupant)) continue;
        await plugins.reload(occupant, { config });
        replaced.push(occupant);
      }
      const change = await describeChange(await plugins.reload(id, { config }), id);
      return { ...change, ...(replaced.length === 0 ? {} : { replaced }) };
    });
  }

  /** Returns the slots that a plugin needs and whose occupant matches. */
  async function slotsOf(id: string, matches: (occupant: string | undefined) => boolean) {
    const { plugins: section = {} } = await host.readConfiguration();
    const record = plugins.current.plugins.find((plugin) => plugin.id === id);
    return slotsOfKind(record?.kind, section).filter(({ occupant }) => matches(occupant));
  }

  /** Returns the slot that a plugin needs and that selects no plugin of this host. */
  async function freeSlot(id: string): Promise<string | undefined> {
    const record = plugins.current.plugins.find((plugin) => plugin.id === id);
    if (record?.status !== "disabled" || record.reason !== "slot-taken") return undefined;
    const isFree = (occupant?: string) => occupant === undefined || !isListed(occupant);
    return (await slotsOf(id, isFree))[0]?.name;
  }

  async function finishInstall(
    outcome: InstallOutcome,
    allowConversation: boolean | undefined,
  ): Promise<PluginChange> {
    const { pluginId } = outcome;
    if (outcome.outcome === "bundled")
      return configure(pluginId, { enabled: true, allowConversation });
    if (outcome.outcome === "permissions-added" || outcome.outcome === "previewed") {
      const { changes } = outcome;
      return {
        outcome: "kept",
        generation: plugins.current.number,
        durationMs: 0,
        diagnostics: diagnosticsOf(plugins.current, pluginId),
        addedPermissions: changes.permissions.added,
        update: changes,
      };
    }
    const change =
      allowConversation === undefined
        ? await describeChange(outcome.load, pluginId)
        : await configure(pluginId, { allowConversation });
    const found = outcome.findings.map((finding) => findingNote(finding, pluginId));
    const advised = adviceNote(outcome.advice, pluginId);
    return {
      ...change,
      diagnostics: [...found, ...change.diagnostics, ...advised],
      ...defined({ update: outcome.changes }),
    };
  }

  const install = async (specifier: string, options: InstallOptions, allowConversation?: boolean) =>
    finishInstall(await installer.install(specifier, options), allowConversation);

  async function describeChange(reload: PluginReload, id: string | undefined) {
    const slot = id === undefined ? undefined : await freeSlot(id);
    return { ...changeOf(plugins, reload, id), ...defined({ freeSlot: slot }) };
  }

  return MethodRegistry.of(pluginMethods, {
    "plugins.list": async () => {
      const { number, plugins: records, diagnostics } = plugins.current;
      return {
        generation: number,
        plugins: records.map(summary),
        diagnostics: diagnostics.map(note),
      };
    },
    "plugins.inspect": async ({ id }) => ({
      ...details(find(id), plugins),
      ...defined({ installedFrom: (await records.get(id))?.requested }),
    }),
    "plugins.doctor": async ({ id }) => {
      const { current, inspection } = plugins;
      const records = id === undefined ? current.plugins : [find(id)];
      const found = new Set([
        ...current.diagnostics,
        ...examinePlugins(current, inspection),
        ...(await hookFileProblems(plugins)),
      ]);
      const wanted = [...found].filter(({ pluginId }) => id === undefined || pluginId === id);
      return { plugins: records.map(summary), diagnostics: wanted.map(note) };
    },
    "plugins.enable": async ({ id, allowConversation }) => {
      find(id);
      return configure(id, { enabled: true, allowConversation });
    },
    "plugins.disable": async ({ id }) => {
      find(id);
      return configure(id, { enabled: false });
    },
    "plugins.reload": async ({ id }) => {
      if (id !== undefined) find(id);
      return mutex.run(async () => {
        const config = await host.readConfiguration();
        return describeChange(await plugins.reload(id, { config }), id);
      });
    },
    "plugins.install": ({ specifier, allowConversation, ...options }) =>
      install(specifier, options, allowConversation),
    "plugins.update": async ({ id, ...options }) => {
      const record = await recordOf(id, "update it at its source");
      if (record.marketplace !== undefined) await host.marketplaces.update(record.marketplace);
      const update = { cwd: host.state.dir, ...options, updates: id };
      return await install(record.requested, update).catch((error: unknown) => {
        throw failedUpdate(error, record);
      });
    },
    "plugins.accept": ({ id }) =>
      mutex.run(async () => {
        await installer.accept(await recordOf(id, "its files are not checked"));
        return describeChange(await plugins.reload(id), id);
      }),
    "plugins.uninstall": async ({ id }) => {
      await recordOf(id, `disable it with \`openclaw plugins disable ${id}\``);
      return mutex.run(async () => {
        // Change the file first, because that can be rejected.
        const slots = await slotsOf(id, (occupant) => occupant === id);
        const config = await host.changeConfiguration([
          [["plugins", "entries", id], undefined],
          ...slots.map(({ name }): ConfigurationChange => [["plugins", "slots", name], undefined]),
        ]);
        await installer.remove(id);
        const reloaded = await plugins.reload(id, { config });
        // Running work may still write, so the plugin's data is removed only after it has ended.
        await reloaded.retired;
        await host.pluginStores?.remove(id);
        return describeChange(reloaded, id);
      });
    },
  });
}

/** Note that says whether another version of a limited plugin fits this host. */
function adviceNote(advice: string | undefined, pluginId: string): PluginChange["diagnostics"] {
  return advice === undefined
    ? []
    : [{ level: "warn", code: "other-version", message: advice, pluginId }];
}
