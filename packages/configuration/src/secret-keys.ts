import { isSecretName } from "@openclaw/safety";

/** Keys below which `${secret:NAME}` is available, as an error and the documentation name them; `<…>` stands for any key. */
export const SECRET_SECTIONS = [
  "gateway.auth",
  "webhooks",
  "channels",
  "mcpServers",
  "models.providers",
  "tools.http.credentials",
  "plugins.entries.<id>.config",
  "plugins.entries.<id>.env",
] as const;

const PATHS = SECRET_SECTIONS.map((section) => section.split("."));

/**
 * Returns true for a key whose value may be a stored secret (HOST-011). Other sections are read before the
 * store is open, or shown to models and clients.
 * @param path - keys and indexes from the root
 */
export function mayHoldSecrets(path: readonly string[]): boolean {
  return PATHS.some(
    (section) =>
      path.length > section.length &&
      section.every((key, index) => key.startsWith("<") || key === path[index]),
  );
}

/**
 * Returns true when the name of a key, or of one above it, says that the value is a secret.
 * @param path - keys and indexes from the root
 */
export function namesSecret(path: readonly string[]): boolean {
  return path.some((key) => isSecretName(key));
}
