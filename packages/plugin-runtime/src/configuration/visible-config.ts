import { deepFreeze } from "./plugin-config.js";

const REDACTED = "[redacted]";

/** Keys whose values are secrets, by the words in their names. */
const SECRET_KEY =
  /(?:^|[_-])(?:token|secret|password|passphrase|credential|authorization|api_?key|private_?key)s?$/;

/**
 * Returns the host's configuration as plugins see it: a frozen copy in which values under keys that
 * name secrets, and the configuration of every plugin, are redacted. Best effort by name; a host
 * that knows its secrets better passes its own view.
 * @param config - the host's configuration
 */
export function visibleConfig(
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return deepFreeze(copy(config, []) as Record<string, unknown>);
}

function copy(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, path));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const here = [...path, key];
      return [key, isSecret(here) && part !== undefined ? REDACTED : copy(part, here)];
    }),
  );
}

function isSecret(path: readonly string[]): boolean {
  const [section, list, , field] = path;
  if (section === "plugins" && list === "entries" && path.length === 4) {
    return field === "config" || field === "env";
  }
  return SECRET_KEY.test(snakeCase(path.at(-1) ?? ""));
}

function snakeCase(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}
