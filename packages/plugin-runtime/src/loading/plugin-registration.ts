import { join } from "node:path";
import { DeadlineExceededError, defined, errorMessage, withDeadline } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import { createPluginApi } from "../api/api.js";
import type { RuntimeContext } from "../api/host-runtime.js";
import { registerDeadline } from "../configuration/entry-check.js";
import { PluginLoadError } from "../errors.js";
import type { HookBindings } from "../hooks/bindings.js";
import { hasConversationAccess } from "../hooks/gate.js";
import { HookRegistrar, type HookRegistrarHost } from "../hooks/registrar.js";
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
import { declaredPermissions } from "../instances/permissions.js";
import { Registrar } from "../registration/registrar.js";
import type { ImportedPlugin } from "./plugin-import.js";
import { framePlace } from "./stack-location.js";

/** What a plugin registers with. */
export interface RegisterDependencies {
  readonly logger: Logger;
  readonly bindings: HookBindings;
  readonly listener: InstanceListener;
  /** What the `api` offers beyond registering. */
  readonly host: RuntimeContext;
  readonly doors: HookRegistrarHost;
  /** What becomes of what a manifest does not declare. */
  readonly permissions: PermissionMode;
}

/** A plugin that has registered; nothing of it is active before the runtime says so. */
export interface RegisteredPlugin {
  readonly instance: PluginInstance;
  /** Time its `register` took, in milliseconds. */
  readonly registerMs: number;
}

/**
 * Lets a plugin register, and awaits it (PLUG-022). When it throws, rejects, is late or is refused,
 * nothing of it remains (PLUG-023).
 * @param imported - the loaded plugin
 * @param surroundings - what its `api` stands on
 * @throws PluginLoadError
 */
export async function registerPlugin(
  imported: ImportedPlugin,
  surroundings: RegisterDependencies,
): Promise<RegisteredPlugin> {
  const { exported, plan, config } = imported;
  const { bindings, listener, host } = surroundings;
  const instance = new PluginInstance(
    identityOf(imported),
    {
      config,
      entry: plan.entry,
      consented: hasConversationAccess(plan, plan.entry),
      named: plan.named,
      contracts: plan.manifest.contracts,
    },
    pluginLogger(surroundings.logger, imported.id),
    listener,
  );
  for (const diagnostic of imported.diagnostics) instance.diagnostics.push(diagnostic);
  const gate = new PermissionGate(instance, permissionRules(imported, surroundings.permissions));
  const registrar = new Registrar(instance, gate, host.services.hosts);
  const doors = new HookRegistrar(registrar, bindings, surroundings.doors);
  const deadlineMs = registerDeadline(plan.entry);
  const began = performance.now();
  try {
    await withDeadline(deadlineMs, () =>
      exported.register(createPluginApi(registrar, doors, bindings, host)),
    );
  } catch (error) {
    await instance.end();
    throw registerFailure(imported, error);
  }
  if (instance.refusal !== undefined) {
    await instance.end();
    throw refused(imported, instance.refusal);
  }
  gate.report();
  return { instance, registerMs: performance.now() - began };
}

/** A plugin that the host itself gave as an object has no manifest that could declare anything. */
function permissionRules({ plan }: ImportedPlugin, mode: PermissionMode): PermissionRules {
  return {
    mode: plan.definition === undefined ? mode : "off",
    declared: declaredPermissions(plan.manifest),
    manifestFile: plan.manifestPath ?? join(plan.rootDir, "openclaw.plugin.json"),
  };
}

function registerFailure({ id, source, plan }: ImportedPlugin, error: unknown): PluginLoadError {
  if (error instanceof DeadlineExceededError) {
    return new PluginLoadError({
      pluginId: id,
      problem: "register-timeout",
      message: `its register did not settle within ${error.deadlineMs} ms`,
      hint: `await less in register, or raise plugins.entries.${plan.id}.registerTimeoutMs`,
      file: source,
    });
  }
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const place = framePlace(stack, `${plan.rootDir}/`);
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
  // What a module says of itself counts only where the manifest is silent (PLUG-020).
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

/** A plugin's lines carry its id. */
function pluginLogger(logger: Logger, pluginId: string): Logger {
  const withId = (fields: Record<string, unknown> | undefined) => ({ ...fields, pluginId });
  return {
    debug: (message, fields) => logger.debug(message, withId(fields)),
    info: (message, fields) => logger.info(message, withId(fields)),
    warn: (message, fields) => logger.warn(message, withId(fields)),
    error: (message, fields) => logger.error(message, withId(fields)),
  };
}
