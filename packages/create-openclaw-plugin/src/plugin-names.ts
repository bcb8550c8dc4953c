import { PluginIdInvalidError } from "./errors.js";

/** Names derived from a plugin's id. */
export interface PluginNames {
  readonly id: string;
  /** Display name, for example `My plugin`. */
  readonly name: string;
  readonly packageName: string;
  /** The id without its scope. */
  readonly shortId: string;
  /** Identifier for tool names, for example `my_plugin`. */
  readonly identifier: string;
  /** Prefix of environment variables, for example `MY_PLUGIN`. */
  readonly variablePrefix: string;
}

const ID = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const MAXIMUM_LENGTH = 100;
const NAME_LENGTH = 64;

/**
 * Returns true for a valid plugin id.
 * @param id - for example `my-plugin` or `@acme/my-plugin`
 */
export function isPluginId(id: string): boolean {
  return id.length <= MAXIMUM_LENGTH && ID.test(id);
}

/**
 * Derives a plugin's other names from its id.
 * @param id - for example `my-plugin` or `@acme/my-plugin`
 * @throws PluginIdInvalidError
 */
export function pluginNames(id: string): PluginNames {
  if (!isPluginId(id)) throw new PluginIdInvalidError(id);
  const shortId = id.slice(id.indexOf("/") + 1);
  const words = shortId.split(/[._-]+/).filter((word) => word !== "");
  const sentence = words.join(" ");
  const prefix = words.join("_").toUpperCase();
  return {
    id,
    name: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    // The prefix shows the purpose of a package without a scope.
    packageName: id.startsWith("@") || shortId.startsWith("openclaw-") ? id : `openclaw-${id}`,
    shortId,
    identifier: words.join("_").slice(0, NAME_LENGTH),
    variablePrefix: /^[A-Z]/.test(prefix) ? prefix : `_${prefix}`,
  };
}

/**
 * Returns an id derived from the name of a folder; undefined when no valid id results.
 * @param name - name of the folder
 */
export function idFromFolder(name: string): string | undefined {
  const id = name
    // "wörter" becomes "worter", not "w-rter".
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .slice(0, MAXIMUM_LENGTH);
  return isPluginId(id) ? id : undefined;
}
