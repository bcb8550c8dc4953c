import { defined } from "@openclaw/foundation";
import { manifestSchemaOf, type PluginDiagnostic } from "@openclaw/plugin-discovery";
import {
  type PluginGeneration,
  type PluginRecord,
  type PluginReload,
  type PluginRuntime,
  REGISTRY_KINDS,
  seesConversations,
} from "@openclaw/plugin-runtime";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import type { GatewayMethodResult, PluginChange, PluginSummary } from "@openclaw/protocol";

/** Returns the plugin's hooks that wait for the operator's decision on conversation access (D29). */
function waitingForConsent({ inspection }: PluginRuntime, id: string | undefined): string[] {
  const waiting = inspection
    .registrations()
    .filter(({ owner, active, hook }) => owner === id && !active && seesConversations(hook));
  return [...new Set(waiting.map(({ hook }) => hook))];
}

/**
 * Describes the result of a reload.
 * @param plugins - plugins of the host
 * @param reload - result of the reload
 * @param id - plugin that was reloaded; undefined for all
 */
export function changeOf(
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

/**
 * Returns the diagnostics of a generation.
 * @param generation - the plugins
 * @param id - ID of one plugin; undefined for all
 */
export function diagnosticsOf({ diagnostics }: PluginGeneration, id: string | undefined) {
  return diagnostics.filter(({ pluginId }) => id === undefined || pluginId === id).map(note);
}

/** Describes a plugin in a list. */
export function summary(record: PluginRecord): PluginSummary {
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

/**
 * Describes a plugin with its registrations and hook counts.
 * @param plugins - plugins of the host
 */
export function details(
  record: PluginRecord,
  plugins: PluginRuntime,
): GatewayMethodResult<"plugins.inspect"> {
  const { source, rootDir, generation, loadMs, registerMs, manifestPath, packageName } = record;
  const isolation = record.isolation && {
    tier: record.isolation.tier,
    enforced: [...record.isolation.enforced],
  };
  const exportedSchema = manifestSchemaOf(record.exportedSchema);
  const counts = plugins.inspection.counters().registrations;
  return {
    ...summary(record),
    source,
    rootDir,
    registered: registeredNames(record),
    permissions: { ...record.permissions },
    panels: panelsOf(record.id, plugins.current),
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
    ...defined({ generation, loadMs, registerMs, manifestPath, packageName, isolation }),
  };
}

/** A page may call the methods of the same plugin only, whichever the plugin lists (UI-039). */
function panelsOf(id: string, { panels, gatewayHandlers }: PluginGeneration) {
  const own = gatewayHandlers.filter(({ pluginId }) => pluginId === id);
  return panels
    .filter(({ pluginId }) => pluginId === id)
    .map(({ id: panelId, title, path, methods, events }) => ({
      id: panelId,
      title,
      url: `${path}/index.html`,
      methods: methods.filter((name) => own.some(({ method }) => method === name)),
      events: events.map((name) => `plugin.${id}.${name}`),
    }));
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

/**
 * Converts a diagnostic to its form on the wire.
 * @param diagnostic - diagnostic of a plugin
 */
export function note({ level, code, message, pluginId, hint }: PluginDiagnostic) {
  return defined({ level, code, message, pluginId, hint });
}

const LEVEL_OF_SEVERITY = { critical: "error", warn: "warn", info: "info" } as const;

/**
 * Converts a finding of a scan to a note.
 * @param finding - finding of the scan
 */
export function findingNote(
  { ruleId, severity, file, line, message }: InstallFinding,
  pluginId: string,
) {
  const level = LEVEL_OF_SEVERITY[severity];
  return { level, code: `scan-${ruleId}`, message: `${file}:${line} ${message}`, pluginId };
}
