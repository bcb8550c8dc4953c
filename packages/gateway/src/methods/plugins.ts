import { defined, Mutex, nearestName } from "@openclaw/foundation";
import {
  examinePlugins,
  manifestSchemaOf,
  type PluginDiagnostic,
  type PluginGeneration,
  PluginNotFoundError,
  type PluginRecord,
  type PluginReload,
  type PluginRuntime,
  REGISTRY_KINDS,
  seesConversations,
} from "@openclaw/plugin-runtime";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import {
  type GatewayMethodResult,
  type PluginChange,
  type PluginSummary,
  pluginMethods,
} from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { PluginStores } from "@openclaw/store";
import type { ConfigurationChange } from "../configuration/change.js";
import type { OpenClawConfiguration } from "../configuration/schema.js";
import { PluginInstallRefusedError } from "../errors.js";
import {
  createPluginInstaller,
  type InstallerHost,
  type InstallOutcome,
} from "../plugins/installer.js";

/** Dependencies of {@link createPluginMethods}. */
export interface PluginMethodDependencies extends InstallerHost {
  readonly plugins: PluginRuntime;
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
  const installer = createPluginInstaller(host);
  /** Changes file and plugins together; otherwise one change could be loaded without another. */
  const mutex = new Mutex();

  const find = (id: string): PluginRecord => {
    const record = plugins.current.plugins.find((plugin) => plugin.id === id);
    if (record !== undefined) return record;
    const ids = plugins.current.plugins.map((plugin) => plugin.id);
    throw new PluginNotFoundError(id, nearestName(id, ids));
  };

  /** Writes the operator's settings for a plugin, and reloads it. */
  async function configure(
    id: string,
    settings: { enabled?: boolean; allowConversation?: boolean | undefined },
  ): Promise<PluginChange> {
    const entry = ["plugins", "entries", id] as const;
    const { enabled, allowConversation } = settings;
    const changes: ConfigurationChange[] = [];
    if (enabled !== undefined) changes.push([[...entry, "enabled"], enabled]);
    if (allowConversation !== undefined) {
      changes.push([[...entry, "hooks", "allowConversationAccess"], allowConversation]);
    }
    return mutex.run(async () => {
      const config = await host.changeConfiguration(changes);
      return describeChange(plugins, await plugins.reload(id, { config }), id);
    });
  }

  async function finishInstall(
    outcome: InstallOutcome,
    allowConversation: boolean | undefined,
  ): Promise<PluginChange> {
    const { pluginId } = outcome;
    if (outcome.outcome === "permissions-added") {
      const diagnostics = diagnosticsOf(plugins.current, pluginId);
      const { number } = plugins.current;
      return {
        outcome: "kept",
        generation: number,
        durationMs: 0,
        diagnostics,
        addedPermissions: outcome.added,
      };
    }
    const change =
      allowConversation === undefined
        ? describeChange(plugins, await plugins.reload(pluginId), pluginId)
        : await configure(pluginId, { allowConversation });
    const found = outcome.findings.map((finding) => findingNote(finding, pluginId));
    return { ...change, diagnostics: [...found, ...change.diagnostics] };
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
    "plugins.inspect": async ({ id }) => details(find(id), plugins),
    "plugins.doctor": async ({ id }) => {
      const { current, inspection } = plugins;
      const records = id === undefined ? current.plugins : [find(id)];
      const found = new Set([...current.diagnostics, ...examinePlugins(current, inspection)]);
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
        return describeChange(plugins, await plugins.reload(id, { config }), id);
      });
    },
    "plugins.install": async ({ specifier, allowConversation, ...options }) =>
      finishInstall(await installer.install(specifier, options), allowConversation),
    "plugins.update": async ({ id, ...options }) => {
      const record = (await installer.installed()).find(({ pluginId }) => pluginId === id);
      if (record === undefined) {
        find(id);
        throw new PluginInstallRefusedError(
          id,
          "it was not installed with `openclaw plugins install`",
          "update it at its source",
        );
      }
      const { dir: cwd } = host.state;
      const outcome = await installer.install(record.requested, { cwd, ...options });
      return finishInstall(outcome, undefined);
    },
    "plugins.uninstall": async ({ id }) => {
      find(id);
      const installed = await installer.installed();
      if (!installed.some(({ pluginId }) => pluginId === id)) {
        throw new PluginInstallRefusedError(
          id,
          "it was not installed with `openclaw plugins install`",
          `disable it with \`openclaw plugins disable ${id}\``,
        );
      }
      return mutex.run(async () => {
        // Change the file first, because that can be rejected.
        const settings = [["plugins", "entries", id], undefined] as const;
        const config = await host.changeConfiguration([settings]);
        await installer.remove(id);
        const reloaded = await plugins.reload(id, { config });
        // Running work may still write, so the plugin's data is removed only after it has ended.
        await reloaded.retired;
        await host.pluginStores?.remove(id);
        return describeChange(plugins, reloaded, id);
      });
    },
  });
}

/** Returns the plugin's hooks that wait for the operator's decision on conversation access (D29). */
function waitingForConsent({ inspection }: PluginRuntime, id: string | undefined): string[] {
  const waiting = inspection
    .registrations()
    .filter(({ owner, active, hook }) => owner === id && !active && seesConversations(hook));
  return [...new Set(waiting.map(({ hook }) => hook))];
}

function describeChange(
  plugins: PluginRuntime,
  { outcome, generation, durationMs }: PluginReload,
  id: string | undefined,
): PluginChange {
  const record = generation.plugins.find((plugin) => plugin.id === id);
  const consentNeeded = waitingForConsent(plugins, id);
  return {
    outcome,
    generation: generation.number,
    durationMs,
    diagnostics: diagnosticsOf(generation, id),
    ...defined({
      plugin: record && summary(record),
      consentNeeded: consentNeeded.length === 0 ? undefined : consentNeeded,
    }),
  };
}

function diagnosticsOf({ diagnostics }: PluginGeneration, id: string | undefined) {
  return diagnostics.filter(({ pluginId }) => id === undefined || pluginId === id).map(note);
}

function summary(record: PluginRecord): PluginSummary {
  const { id, name, version, description, origin, status } = record;
  return {
    id,
    name,
    origin,
    status,
    ...defined({ version, description, reason: reasonOf(record) }),
  };
}

/** Returns the reason why a plugin is not active; undefined for an active one. */
function reasonOf(record: PluginRecord): string | undefined {
  if (record.status === "disabled") return record.reason;
  return record.status === "error" ? record.error.message : undefined;
}

function details(
  record: PluginRecord,
  plugins: PluginRuntime,
): GatewayMethodResult<"plugins.inspect"> {
  const { source, rootDir, generation, loadMs, registerMs, manifestPath, packageName } = record;
  const exportedSchema = manifestSchemaOf(record.exportedSchema);
  const counts = plugins.inspection.counters().registrations;
  return {
    ...summary(record),
    source,
    rootDir,
    registered: registeredNames(record),
    permissions: { ...record.permissions },
    hasConfigSchema: record.configSchema || exportedSchema !== undefined,
    diagnostics: diagnosticsOf(plugins.current, record.id),
    hooks: plugins.inspection
      .registrations()
      .filter(({ owner }) => owner === record.id)
      .map((registration) => {
        const count = counts.find(({ registrationId }) => registrationId === registration.id);
        const failed = Object.values(count?.failed ?? {}).reduce((sum, each) => sum + each, 0);
        const { hook, priority, active } = registration;
        const fired = count?.dispatched ?? 0;
        const reason = registration.active ? undefined : registration.reason;
        const { p50Ms = 0, p99Ms = 0 } = count?.latency ?? {};
        return { hook, priority, active, fired, failed, p50Ms, p99Ms, ...defined({ reason }) };
      }),
    ...defined({ generation, loadMs, registerMs, manifestPath, packageName }),
  };
}

function registeredNames(record: PluginRecord): Record<string, readonly string[]> {
  const names: Record<string, readonly string[]> = {};
  for (const { recordField } of Object.values(REGISTRY_KINDS)) {
    if (recordField === null) continue;
    const registered = record[recordField];
    if (registered.length > 0) names[recordField] = registered;
  }
  return names;
}

function note({ level, code, message, pluginId, hint }: PluginDiagnostic) {
  return defined({ level, code, message, pluginId, hint });
}

const LEVEL_OF_SEVERITY = { critical: "error", warn: "warn", info: "info" } as const;

function findingNote({ ruleId, severity, file, line, message }: InstallFinding, pluginId: string) {
  const level = LEVEL_OF_SEVERITY[severity];
  return { level, code: `scan-${ruleId}`, message: `${file}:${line} ${message}`, pluginId };
}
