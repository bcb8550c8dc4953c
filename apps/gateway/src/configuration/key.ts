import { splitKey, unknownKey } from "@openclaw/configuration";
import { withSuggestion } from "@openclaw/foundation";
import { UsageError } from "../shell/usage-error.js";

/**
 * Returns the path of a key.
 * @param key - dotted key as the operator wrote it
 * @throws UsageError when it is not a key of the configuration, with the nearest one
 */
export function pathOfKey(key: string): readonly [string, ...string[]] {
  const path = splitKey(key);
  if (path === undefined) {
    throw new UsageError(
      `"${key}" is not a key; write for example gateway.port, or plugins.entries["a.b"].enabled`,
    );
  }
  const unknown = unknownKey(path);
  if (unknown === undefined) return path;
  throw new UsageError(
    withSuggestion(
      `the configuration has no key "${key}"`,
      unknown.nearest,
      "docs/reference/configuration.md lists all keys",
    ),
  );
}
