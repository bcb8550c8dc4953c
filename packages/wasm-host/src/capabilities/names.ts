/** Names that tools and channels may have (WASM-041). */
const COMPONENT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_PATH = 1024;

/** Returns true for a name that a tool or channel may have. */
export function isComponentName(name: string): boolean {
  return COMPONENT_NAME.test(name);
}

/**
 * Returns true when a component may ask whether a secret exists (WASM-011).
 * @param name - name of the secret
 * @param allowed - names; the last character may be `*`
 */
export function isSecretAllowed(name: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/**
 * Returns true for a path that stays below the workspace however it is read (WASM-024).
 * @param path - path as a component wrote it
 */
export function isWorkspacePath(path: string): boolean {
  if (path === "" || path.length > MAX_PATH || path.startsWith("/")) return false;
  if (/[\0\\]/.test(path) || /^[a-z]:/i.test(path)) return false;
  return path.split("/").every((part) => part !== ".." && part !== "." && part !== "");
}

/**
 * Returns true when a prefix covers a path.
 * @param path - valid path
 * @param prefixes - prefixes; one without a slash at its end covers a file or folder of this name
 */
export function isUnderPrefix(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some(
    (prefix) =>
      prefix === "" ||
      (prefix.endsWith("/")
        ? path.startsWith(prefix)
        : path === prefix || path.startsWith(`${prefix}/`)),
  );
}
