import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";

/** Read by the language itself, by inspection and by promises; no capability has such a name. */
const NO_ABILITIES = new Set(["then", "catch", "finally", "toJSON", "constructor", "prototype"]);

/**
 * Creates the error for a capability that a host lacks.
 * @param pluginId - the plugin that used it
 * @param path - for example `runtime.llm.complete`
 */
export function lackOf(pluginId: string, path: string): RuntimeCapabilityError {
  return new RuntimeCapabilityError(
    pluginId,
    path,
    "run the plugin on a host that provides it, or catch this error",
  );
}

/**
 * Creates a stand-in for a capability that a host lacks. Reading it works, so that nothing fails
 * early; calling it, or anything below it, throws (PLUG-041).
 * @param pluginId - the plugin that may call it
 * @param path - for example `runtime.llm`
 */
export function missingCapability(pluginId: string, path: string): object {
  return new Proxy(() => undefined, {
    apply: () => {
      throw lackOf(pluginId, path);
    },
    get: (target, key) => memberOf(pluginId, path, target, key),
    has: () => false,
  });
}

/**
 * Adds a stand-in to an object for every capability that it lacks.
 * @param pluginId - the plugin that may call them
 * @param path - path of the object, for example `runtime`
 * @param abilities - capabilities of the host
 */
export function withMissing<Abilities extends object>(
  pluginId: string,
  path: string,
  abilities: Abilities,
): Abilities {
  return new Proxy(abilities, {
    get: (target, key, receiver) =>
      Object.hasOwn(target, key)
        ? Reflect.get(target, key, receiver)
        : memberOf(pluginId, path, target, key),
  });
}

function memberOf(pluginId: string, path: string, target: object, key: PropertyKey): unknown {
  if (typeof key !== "string" || NO_ABILITIES.has(key)) return Reflect.get(target, key);
  return missingCapability(pluginId, `${path}.${key}`);
}
