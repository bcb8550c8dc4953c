import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import type { PluginInstance } from "../instances/instance.js";

/** Read by the language itself, by inspection and by promises; no capability has such a name. */
const NOT_CAPABILITIES = new Set([
  "then",
  "catch",
  "finally",
  "toJSON",
  "constructor",
  "prototype",
  "asymmetricMatch",
  "nodeType",
  "tagName",
  "toString",
  "valueOf",
]);

/**
 * Creates the error for a capability that a host lacks.
 * @param pluginId - the plugin that used it
 * @param path - for example `approvals.request`
 */
export function lackOf(pluginId: string, path: string): RuntimeCapabilityError {
  return new RuntimeCapabilityError(
    pluginId,
    path,
    "run the plugin on a host that provides it, or catch this error",
  );
}

/**
 * Creates a stand-in for a part of the `api` whose type promises it on every host. Reading it works, so that nothing
 * fails early; calling it, or anything below it, throws.
 * @param instance - the plugin that may call it
 * @param path - for example `store`
 * @param isReported - false for a part that only this process has not opened, so that its use says nothing of the plugin
 */
export function missingCapability(
  instance: PluginInstance,
  path: string,
  isReported = true,
): object {
  const { id: pluginId } = instance;
  return new Proxy(() => undefined, {
    apply: (_target, _this, given) => {
      const name = `api.${path}`;
      if (isReported) {
        instance.onMissingUse({ pluginId, specifier: "openclaw", name, path: name, given });
      }
      throw lackOf(pluginId, path);
    },
    get: (target, key) =>
      typeof key !== "string" || NOT_CAPABILITIES.has(key)
        ? Reflect.get(target, key)
        : missingCapability(instance, `${path}.${key}`, isReported),
    has: () => false,
  });
}

/**
 * Lists in the diagnostics each capability that a plugin uses and the host lacks. The capability is
 * `undefined`, so that plugins can look for it (PLUG-041); for code that takes it for granted it is a value that throws
 * when it is called (PLUG-144).
 * @param path - path of the object, for example `runtime`
 * @param capabilities - capabilities of the host; undefined members are absent
 */
export function withAbsent<Capabilities extends object>(
  instance: PluginInstance,
  path: string,
  capabilities: Capabilities,
): Capabilities {
  return new Proxy(capabilities, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (value !== undefined || typeof key !== "string" || NOT_CAPABILITIES.has(key)) return value;
      const isLookedFor = !instance.code.takesForGranted(key);
      tellAbsent(instance, `${path}.${key}`, isLookedFor);
      return isLookedFor ? undefined : missingCapability(instance, `${path}.${key}`);
    },
  });
}

/**
 * Does the same for groups of capabilities, such as those of `runtime.channel`: also a function that a group lacks fails
 * under its own name, so that the message for which it was called is kept (CHAN-521).
 * @param path - path of the object, for example `runtime.channel`
 * @param groups - groups of the host
 */
export function withAbsentInGroups<Groups extends object>(
  instance: PluginInstance,
  path: string,
  groups: Groups,
): Groups {
  const known = new Map<string, object>();
  return new Proxy(withAbsent(instance, path, groups), {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== "string" || typeof value !== "object" || value === null) return value;
      const group = known.get(key) ?? withAbsent(instance, `${path}.${key}`, value);
      known.set(key, group);
      return group;
    },
  });
}

const REGISTRAR = /^register[A-Z]/;

/**
 * Accepts registrations that this host does not know and the plugin's code takes for granted (PLUG-144).
 * @param api - the `api` of the plugin
 */
export function withUnknownRegistrars<Api extends object>(instance: PluginInstance, api: Api): Api {
  return new Proxy(api, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      const isUnknown = value === undefined && typeof key === "string" && REGISTRAR.test(key);
      if (!isUnknown || !instance.code.takesForGranted(key)) return value;
      return () => tellUnknown(instance, key);
    },
  });
}

function tellUnknown(instance: PluginInstance, member: string): void {
  instance.assertUsable(member);
  instance.diagnoseOnce(`unserved ${member}`, {
    level: "warn",
    code: "accepted-not-used",
    message: `plugin "${instance.id}" called api.${member}, which this host does not know; the registration has no effect`,
    hint: "the rest of the plugin works",
    unserved: `registration by ${member}`,
  });
}

function tellAbsent(instance: PluginInstance, capability: string, isLookedFor: boolean): void {
  instance.diagnoseOnce(`absent ${capability}`, {
    level: isLookedFor ? "info" : "warn",
    code: "capability-absent",
    message: `plugin "${instance.id}" ${isLookedFor ? "looked for" : "uses"} api.${capability}, which this host does not have; ${isLookedFor ? "it is undefined" : "a call of it fails"}`,
    hint: isLookedFor
      ? "the rest of the plugin works if it checks for the capability before it uses it"
      : "the rest of the plugin works; install a version of the plugin for this host, or update the host",
  });
}
