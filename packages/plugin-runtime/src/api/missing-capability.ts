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
 * @param pluginId - the plugin that may call it
 * @param path - for example `store`
 */
export function missingCapability(pluginId: string, path: string): object {
  return new Proxy(() => undefined, {
    apply: () => {
      throw lackOf(pluginId, path);
    },
    get: (target, key) =>
      typeof key !== "string" || NOT_CAPABILITIES.has(key)
        ? Reflect.get(target, key)
        : missingCapability(pluginId, `${path}.${key}`),
    has: () => false,
  });
}

/**
 * Lists in the diagnostics each capability that a plugin looks for and the host lacks. The capability itself is
 * `undefined`, so that plugins can detect it (PLUG-041).
 * @param instance - the plugin
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
      if (value === undefined && typeof key === "string" && !NOT_CAPABILITIES.has(key)) {
        tellAbsent(instance, `${path}.${key}`);
      }
      return value;
    },
  });
}

function tellAbsent(instance: PluginInstance, capability: string): void {
  instance.diagnoseOnce(`absent ${capability}`, {
    level: "info",
    code: "capability-absent",
    message: `plugin "${instance.id}" looked for api.${capability}, which this host does not have; it is undefined`,
    hint: "the rest of the plugin works if it checks for the capability before it uses it",
  });
}
