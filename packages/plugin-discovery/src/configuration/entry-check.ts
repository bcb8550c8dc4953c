import { defined, didYouMean, nearestName } from "@openclaw/foundation";
import { HOOK_NAMES, isHookName } from "@openclaw/plugin-sdk/hooks";
import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import type { PluginEntryConfiguration, PluginsConfiguration } from "./plugins-configuration.js";

/** Bounds of a timeout that an operator sets, in milliseconds. */
const DEADLINE_MS = { least: 1, most: 600_000 } as const;

/** Default timeout of a plugin's module and of its `register`, each, in milliseconds. */
const REGISTER_DEADLINE_MS = 30_000;

/**
 * Returns diagnostics for invalid or unused settings of the `plugins` section: an out-of-range
 * timeout of `register`, which is ignored, a timeout of an unknown hook, and settings that this
 * host accepts but does not apply yet.
 * @param plugins - the `plugins` section of the configuration
 */
export function checkEntries(plugins: PluginsConfiguration): PluginDiagnostic[] {
  const told: PluginDiagnostic[] = [];
  for (const [id, entry] of Object.entries(plugins.entries ?? {})) {
    const key = `plugins.entries.${id}`;
    if (entry.env !== undefined) told.push(notUsed(`${key}.env`, id));
    for (const hook of Object.keys(entry.hooks?.timeouts ?? {})) {
      if (!isHookName(hook)) told.push(unknownTimeout(`${key}.hooks.timeouts.${hook}`, id, hook));
    }
    const { registerTimeoutMs } = entry;
    if (registerTimeoutMs !== undefined && !isDeadline(registerTimeoutMs)) {
      told.push({
        level: "error",
        code: "config-invalid",
        message: `${key}.registerTimeoutMs must be an integer from ${DEADLINE_MS.least} to ${DEADLINE_MS.most} (ms), got ${String(registerTimeoutMs)}; the default is used`,
        pluginId: id,
        hint: `correct ${key}.registerTimeoutMs`,
      });
    }
  }
  return told;
}

/**
 * Returns the time that a plugin has to evaluate its module, and again to register, in milliseconds
 * (PLUG-022).
 * @param entry - the plugin's entry in the configuration
 */
export function registerDeadline(entry: PluginEntryConfiguration | undefined): number {
  const asked = entry?.registerTimeoutMs;
  return isDeadline(asked) ? asked : REGISTER_DEADLINE_MS;
}

/** Returns true for a valid timeout of an operator, in milliseconds. */
function isDeadline(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    Number(value) >= DEADLINE_MS.least &&
    Number(value) <= DEADLINE_MS.most
  );
}

function unknownTimeout(key: string, pluginId: string, hook: string): PluginDiagnostic {
  const near = nearestName(hook, HOOK_NAMES);
  return {
    level: "warn",
    code: "unknown-hook",
    message: `${key} sets a deadline for "${hook}", which is not a hook of this host`,
    pluginId,
    hint: didYouMean(near) ?? `remove ${key}`,
  };
}

function notUsed(key: string, pluginId?: string): PluginDiagnostic {
  return {
    level: "info",
    code: "config-not-used",
    message: `${key} is accepted, but this version of the host does not act on it yet`,
    ...defined({ pluginId }),
    hint: "keep it for a later version, or remove it",
  };
}
