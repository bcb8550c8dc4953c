const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["shell", "exec"],
  ["apply-patch", "apply_patch"],
  ["read_file", "read"],
  ["write_file", "write"],
  ["ls", "list"],
  ["list_dir", "list"],
]);

const IMPLIED_BY: ReadonlyMap<string, string> = new Map([
  ["edit", "write"],
  ["apply_patch", "write"],
]);

/**
 * The form in which names and patterns are compared: trimmed, ASCII letters in lower case (POL-016).
 * Letters outside ASCII stay, so no two different letters become one.
 * @param name - a tool name, pattern, plugin id, group or profile name
 */
export function normalizeName(name: string): string {
  const trimmed = name.trim();
  if (!/[A-Z]/.test(trimmed)) return trimmed;
  return trimmed.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The name a tool is known by: normalised, aliases such as `bash` resolved to `exec` (POL-017).
 * @param name - a tool name as written
 */
export function canonicalToolName(name: string): string {
  const normalized = normalizeName(name);
  return ALIASES.get(normalized) ?? normalized;
}

/** The name whose entries also count for this canonical name: `write` for `edit` (POL-020). */
export function impliedByName(canonicalName: string): string | undefined {
  return IMPLIED_BY.get(canonicalName);
}
