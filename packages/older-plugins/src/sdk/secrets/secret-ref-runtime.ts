import { readFile } from "node:fs/promises";
import { isSecretRef } from "../core.js";

export { isSecretRef } from "../core.js";

/** Reference to a secret in the form of older versions. */
export interface SecretRef {
  readonly source: "env" | "file" | "exec";
  readonly provider?: string;
  readonly id: string;
}

/**
 * Returns a reference to a secret, or null for any other value.
 * @param value - value from a configuration
 * @deprecated Write `${secret:<name>}` in the configuration; the host resolves it.
 */
export function coerceSecretRef(value: unknown): SecretRef | null {
  return isSecretRef(value) ? (value as SecretRef) : null;
}

/**
 * Returns the values of references to environment variables and files, by `<source>:<provider>:<id>`.
 * @param refs - references
 * @param options - environment variables; those of the process when absent
 * @throws Error for a variable or file that does not exist, and for a reference to a program
 * @deprecated Write `${secret:<name>}` in the configuration; the host resolves it.
 */
export async function resolveSecretRefValues(
  refs: readonly SecretRef[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const ref of refs) {
    const { source, provider = "default", id } = ref;
    values.set(`${source}:${provider}:${id}`, await readSecret(ref, options.env ?? process.env));
  }
  return values;
}

async function readSecret({ source, id }: SecretRef, environment: NodeJS.ProcessEnv) {
  if (source === "exec") {
    throw new Error(`this host runs no program for the secret ${id}; use \${secret:<name>}`);
  }
  if (source === "file") return (await readFile(id, "utf8")).trim();
  const value = environment[id];
  if (value === undefined || value === "") throw new Error(`the variable ${id} is not set`);
  return value;
}
