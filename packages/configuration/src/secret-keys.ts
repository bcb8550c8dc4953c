import { isSecretName } from "@openclaw/safety";

/** Keys below which `${secret:NAME}` is available; `*` stands for any key. */
const SECRET_SECTIONS = [
  ["gateway", "auth"],
  ["plugins", "entries", "*", "config"],
  ["plugins", "entries", "*", "env"],
  ["webhooks", "*"],
  ["tools", "http", "credentials"],
  ["channels", "*"],
  ["mcpServers", "*"],
  ["models", "providers", "*"],
];

/**
 * Returns true for a key whose value may be a stored secret (HOST-011). Other sections are read before the
 * store is open, or shown to models and clients.
 * @param path - keys and indexes from the root
 */
export function mayHoldSecrets(path: readonly string[]): boolean {
  return SECRET_SECTIONS.some(
    (section) =>
      path.length > section.length &&
      section.every((key, index) => key === "*" || key === path[index]),
  );
}

/**
 * Returns true when the name of a key, or of one above it, says that the value is a secret.
 * @param path - keys and indexes from the root
 */
export function namesSecret(path: readonly string[]): boolean {
  return path.some((key) => isSecretName(key));
}
