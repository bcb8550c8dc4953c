import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import { createPluginApi } from "./api.js";
import { isDeadline } from "./entry-check.js";
import { PluginLoadError } from "./errors.js";
import type { HookBindings } from "./hook-bindings.js";
import { HookDoors } from "./hook-doors.js";
import { hasConversationAccess } from "./hook-gate.js";
import type { ImportedPlugin } from "./plugin-import.js";
import { type InstanceListener, type PluginIdentity, PluginInstance } from "./plugin-instance.js";
import { framePlace } from "./stack-place.js";

/** Time a plugin's `register` has unless the operator says otherwise, in milliseconds (PLUG-022). */
const REGISTER_DEADLINE_MS = 30_000;

/** What a plugin registers with. */
export interface RegisterSurroundings {
  readonly logger: Logger;
  readonly bindings: HookBindings;
  readonly listener: InstanceListener;
  /** True when an unknown hook fails a plugin, `plugins.strict`. */
  readonly strict: boolean;
  /** The host's configuration as one plugin may see it. */
  visibleConfig(pluginId: string): Readonly<Record<string, unknown>>;
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
  surroundings: RegisterSurroundings,
): Promise<RegisteredPlugin> {
  const { exported, plan, config } = imported;
  const { strict, bindings, listener } = surroundings;
  const instance = new PluginInstance(
    identityOf(imported),
    { config, entry: plan.entry, consented: hasConversationAccess(plan, plan.entry) },
    pluginLogger(surroundings.logger, imported.id),
    listener,
  );
  for (const diagnostic of imported.diagnostics) instance.diagnostics.push(diagnostic);
  const api = createPluginApi(
    instance,
    new HookDoors(instance, bindings, strict),
    surroundings.visibleConfig(imported.id),
  );
  const asked = plan.entry?.registerTimeoutMs;
  const deadlineMs = isDeadline(asked) ? asked : REGISTER_DEADLINE_MS;
  const began = performance.now();
  try {
    await within(deadlineMs, async () => exported.register(api));
  } catch (error) {
    await instance.dispose();
    throw registerFailure(imported, error, deadlineMs);
  }
  if (instance.refusal !== undefined) {
    await instance.dispose();
    throw refused(imported, instance.refusal);
  }
  return { instance, registerMs: performance.now() - began };
}

class DeadlineMissed extends Error {}

/** A late answer is of no interest any more, nor is a late failure. */
async function within(deadlineMs: number, work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineMissed()), deadlineMs);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function registerFailure(
  { id, source, plan }: ImportedPlugin,
  error: unknown,
  deadlineMs: number,
): PluginLoadError {
  if (error instanceof DeadlineMissed) {
    return new PluginLoadError({
      pluginId: id,
      problem: "register-timeout",
      message: `its register did not settle within ${deadlineMs} ms`,
      hint: `await less in register, or raise plugins.entries.${plan.id}.registerTimeoutMs`,
      file: source,
    });
  }
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const place = framePlace(stack, `${plan.rootDir}/`);
  const reason = error instanceof Error ? error.message : `it threw ${String(error)}`;
  return new PluginLoadError({
    pluginId: id,
    problem: "register-failed",
    message: `its register failed${place === undefined ? "" : ` at ${place}`}: ${reason}`,
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
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { kind }),
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
