import { lstatSync, readFileSync } from "node:fs";

/** Maximum size of a file with a secret in bytes. */
const MOST_BYTES = 16 * 1024;

/**
 * Reads a secret from a file.
 * @param label - name of the secret for messages
 * @param options - limits
 * @returns the secret; undefined without a readable file
 * @deprecated Write `${secret:<name>}` in the configuration.
 */
export function tryReadSecretFileSync(
  filePath: string | undefined,
  label: string,
  options: { readonly maxBytes?: number; readonly rejectSymlink?: boolean } = {},
): string | undefined {
  const path = filePath?.trim() ?? "";
  if (path === "") return undefined;
  const { maxBytes = MOST_BYTES, rejectSymlink = false } = options;
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink() && rejectSymlink) return undefined;
    if (found.size > maxBytes) return undefined;
    const secret = readFileSync(path, "utf8").trim();
    return secret === "" ? undefined : secret;
  } catch (error) {
    process.emitWarning(`${label} could not be read from ${path}: ${String(error)}`, {
      type: "OpenClawCompatibility",
      code: "OPENCLAW_SECRET_FILE",
    });
    return undefined;
  }
}
