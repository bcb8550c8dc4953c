import { secretInputSchema } from "../../access/policy-schemas.js";
import { isSecretRef } from "../core.js";

export { isSecretRef } from "../core.js";

/**
 * Returns a secret as plugins use it: without line breaks and spaces around it.
 * @param value - value from a configuration
 * @deprecated The host puts stored secrets into `api.pluginConfig`.
 */
export function normalizeSecretInputString(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll(/[\r\n]/g, "").trim();
  return text === "" ? undefined : text;
}

/**
 * Returns true when a secret is configured, as a value or as a reference.
 * @param value - value from a configuration
 * @deprecated Compare `api.pluginConfig` with undefined.
 */
export function hasConfiguredSecretInput(value: unknown): boolean {
  return normalizeSecretInputString(value) !== undefined || isSecretRef(value);
}

/**
 * Returns a secret whose reference the host has resolved.
 * @param input - value from a configuration, and its path for the message
 * @throws Error for a reference that was not resolved
 * @deprecated The host puts stored secrets into `api.pluginConfig`.
 */
export function normalizeResolvedSecretInputString(input: {
  readonly value: unknown;
  readonly path: string;
}): string | undefined {
  if (isSecretRef(input.value)) {
    throw new Error(
      `${input.path} refers to a secret of another host; write \${secret:<name>} instead`,
    );
  }
  return normalizeSecretInputString(input.value);
}

/**
 * Returns a secret that is a text; undefined for a reference.
 * @param input - value from a configuration
 * @deprecated The host puts stored secrets into `api.pluginConfig`.
 */
export function resolveSecretInputString(input: { readonly value: unknown }): string | undefined {
  return normalizeSecretInputString(input.value);
}

/**
 * Returns the Zod schema of a secret: a text, or a reference to one.
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildSecretInputSchema() {
  return secretInputSchema();
}

/**
 * Returns the Zod schema of a secret that may be absent.
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildOptionalSecretInputSchema() {
  return secretInputSchema().optional();
}

/**
 * Returns the Zod schema of a list of secrets.
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildSecretInputArraySchema() {
  return secretInputSchema().array();
}
