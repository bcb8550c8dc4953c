import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";

/** Read by the language itself, by inspection and by promises; an ability is never called so. */
const NO_ABILITIES = new Set(["then", "catch", "finally", "toJSON", "constructor", "prototype"]);

/**
 * The error for an ability that a host lacks.
 * @param pluginId - the plugin that asked for it
 * @param path - for example `runtime.llm.complete`
 */
export function lackOf(pluginId: string, path: string): RuntimeCapabilityError {
  return new RuntimeCapabilityError(
    pluginId,
    path,
    "run the plugin on a host that has it, or catch this error and do without",
  );
}

/**
 * Stands for an ability that a host lacks: it can be read, so that nothing breaks early, and throws
 * when it, or anything below it, is called (PLUG-041).
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
 * Gives an object a stand-in for every ability that it lacks.
 * @param pluginId - the plugin that may call them
 * @param path - of the object, for example `runtime`
 * @param abilities - those the host has
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
