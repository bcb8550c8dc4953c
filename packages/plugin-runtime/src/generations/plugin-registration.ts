import { join } from "node:path";
import { DeadlineExceededError, defined, errorMessage, withDeadline } from "@openclaw/foundation";
import {
  declaredPermissions,
  registerDeadline,
  runtimeVersion,
  usesCalendar,
} from "@openclaw/plugin-discovery";
import {
  allMissing,
  findSdkParts,
  framePlace,
  type ImportedPlugin,
  type MissingPartUse,
  missingPartProblem,
  PluginLoadError,
  PluginPollutionError,
  pollutionFailure,
  readThrown,
} from "@openclaw/plugin-loader";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginIsolation } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import { createPluginApi } from "../api/api.js";
import type { RuntimeContext } from "../api/host-runtime.js";
import type { HookBindings } from "../hooks/bindings.js";
import { hasConversationAccess } from "../hooks/gate.js";
import { HookRegistrar, type HookRegistrarHost } from "../hooks/registrar.js";
import { NEWEST_VINTAGE } from "../instances/api-vintage.js";
import {
  type InstanceListener,
  type PluginIdentity,
  PluginInstance,
} from "../instances/instance.js";
import {
  PermissionGate,
  type PermissionMode,
  type PermissionRules,
} from "../instances/permission-gate.js";
import { Registrar } from "../registration/registrar.js";
import { sampleFactories } from "./factory-samples.js";

/** Dependencies of a registration. */
export interface RegisterDependencies {
  readonly logger: Logger;
  readonly bindings: HookBindings;
  readonly listener: InstanceListener;
  /** Capabilities of the host in the `api`. */
  readonly host: RuntimeContext;
  readonly registrars: HookRegistrarHost;
  /** Treatment of registrations that the manifest does not declare. */
  readonly permissions: PermissionMode;
  /** Receives each use of a part of the SDK that the host lacks. */
  readonly onMissingUse?: ((use: MissingPartUse) => void) | undefined;
}

/** Registered plugin that the runtime has not activated yet. */
export interface RegisteredPlugin {
  readonly instance: PluginInstance;
  /** Duration of its `register`, in milliseconds. */
  readonly registerMs: number;
}

/**
 * Calls a plugin's `register` and awaits it (PLUG-022). When it throws, rejects, exceeds the deadline or is rejected by
 * the host, all its registrations are removed (PLUG-023).
 * @param imported - the loaded plugin
 * @param dependencies - dependencies of its `api`
 * @throws PluginLoadError
 */
export async function registerPlugin(
  imported: ImportedPlugin,
  dependencies: RegisterDependencies,
): Promise<RegisteredPlugin> {
  const { exported, plan, config } = imported;
  const { bindings, listener, host } = dependencies;
  const isOlder = usesCalendar(plan);
  const instance = new PluginInstance(
    identityOf(imported),
    {
      config,
      entry: plan.entry,
      consented: hasConversationAccess(plan, plan.entry),
      named: plan.named,
      contracts: plan.manifest.contracts,
      proposals: plan.manifest.proposals,
    },
    pluginLogger(dependencies.logger, imported.id),
    listener,
    isOlder ? NEWEST_VINTAGE : "1.0",
  );
  for (const diagnostic of imported.diagnostics) instance.diagnostics.push(diagnostic);
  const gate = new PermissionGate(instance, permissionRules(imported, dependencies.permissions));
  const registrar = new Registrar(instance, gate, host.services, dependencies.registrars.strict);
  const registrars = new HookRegistrar(registrar, bindings, dependencies.registrars);
  const deadlineMs = registerDeadline(plan.entry);
  const began = performance.now();
  try {
    const api = createPluginApi(registrar, registrars, bindings, {
      ...host,
      channels: plan.manifest.channels ?? [],
      version: runtimeVersion(isOlder, host.hostVersion),
      isolation: imported.isolation ?? NOT_ISOLATED,
    });
    instance.onMissingUse = (use) => {
      tellUsed(instance, use);
      dependencies.onMissingUse?.(use);
    };
    imported.watchMissing?.(instance.onMissingUse);
    imported.bindAgent?.({ ...api.runtime.agent });
    await withDeadline(deadlineMs, () => exported.register(api));
  } catch (error) {
    await instance.end();
    throw await registerFailure(imported, error);
  }
  if (instance.refusal !== undefined) {
    await instance.end();
    throw refused(imported, instance.refusal);
  }
  try {
    // A plugin that the host passed as an object has no manifest, and its author sees what it registers.
    if (plan.definition === undefined) await sampleFactories(instance, gate, host.workspaceDir);
  } catch (error) {
    await instance.end();
    throw await registerFailure(imported, error);
  }
  gate.report();
  return { instance, registerMs: performance.now() - began };
}

/** Reports that work of a plugin failed, also when the plugin hides the failure (PLUG-520). */
function tellUsed(instance: PluginInstance, { specifier, name, path }: MissingPartUse): void {
  instance.diagnoseOnce(`used ${specifier} ${path}`, {
    level: "error",
    code: "sdk-part-used",
    message: `plugin "${instance.id}" used ${path === name ? "" : `${path}, which needs `}"${name}" of "${specifier}", which this host does not have; the work that needed it failed`,
    hint: "install a version of the plugin for this host, or update the host",
  });
}

/** Isolation of a plugin whose code runs in the process of the host. */
const NOT_ISOLATED: PluginIsolation = { tier: "none", enforced: [] };

/** A plugin that the host passed as an object has no manifest to declare anything. */
function permissionRules({ id, plan }: ImportedPlugin, mode: PermissionMode): PermissionRules {
  return {
    mode: plan.definition === undefined ? mode : "off",
    declared: declaredPermissions(plan.manifest, id),
    manifestFile: plan.manifestPath ?? join(plan.rootDir, "openclaw.plugin.json"),
  };
}

async function registerFailure(
  { id, source, plan }: ImportedPlugin,
  error: unknown,
): Promise<PluginLoadError> {
  if (error instanceof DeadlineExceededError) {
    return new PluginLoadError({
      pluginId: id,
      problem: "register-timeout",
      message: `its register did not settle within ${error.deadlineMs} ms`,
      hint: `await less in register, or raise plugins.entries.${plan.id}.registerTimeoutMs`,
      file: source,
    });
  }
  if (PluginPollutionError.isInstance(error)) return pollutionFailure(id, source, error);
  const place = framePlace(readThrown(error).frames, plan.rootDir);
  const lacking = missingPartProblem(error);
  if (lacking !== undefined) {
    const parts = await findSdkParts([source], plan.rootDir);
    return new PluginLoadError({
      pluginId: id,
      problem: lacking.code,
      message: `its register stopped${place === undefined ? "" : ` at ${place}`}: ${lacking.message}${allMissing(parts)}`,
      hint: lacking.hint,
      file: place ?? source,
      cause: error,
    });
  }
  return new PluginLoadError({
    pluginId: id,
    problem: "register-failed",
    message: `its register failed${place === undefined ? "" : ` at ${place}`}: ${errorMessage(error)}`,
    hint: "correct its register; nothing that it had registered before is kept",
    file: place ?? source,
    cause: error,
  });
}

function refused({ id, source }: ImportedPlugin, refusal: Error): PluginLoadError {
  return new PluginLoadError({
    pluginId: id,
    problem: "register-failed",
    message: `${refusal.message} (plugins.strict is true)`,
    hint: "correct the name, or set plugins.strict to false",
    file: source,
    cause: refusal,
  });
}

function identityOf({ id, source, plan, exported }: ImportedPlugin): PluginIdentity {
  const { manifest, origin, rootDir } = plan;
  // Metadata of the module applies only to fields that the manifest does not set (PLUG-020).
  const { version = exported.version, description = exported.description } = manifest;
  const kind = manifest.kind ?? exported.kind;
  return {
    id,
    name: manifest.name ?? exported.name ?? id,
    ...defined({ version, description, kind }),
    origin,
    source,
    rootDir,
  };
}

/** Adds the plugin's id to its log lines. */
function pluginLogger(logger: Logger, pluginId: string): Logger {
  const withId = (fields: Record<string, unknown> | undefined) => ({ ...fields, pluginId });
  return {
    debug: (message, fields) => logger.debug(message, withId(fields)),
    info: (message, fields) => logger.info(message, withId(fields)),
    warn: (message, fields) => logger.warn(message, withId(fields)),
    error: (message, fields) => logger.error(message, withId(fields)),
  };
}
