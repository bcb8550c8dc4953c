/** Entry whose variables are replaced by their values. */
export interface ExpandedEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  /** Names of the variables that it uses. */
  readonly used: readonly string[];
  /** Names of those that are not set and have no default. */
  readonly unset: readonly string[];
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` in all strings of an entry by variables of the environment, as Claude Code does.
 * The default is used for a variable that is not set or empty. Other text with a dollar sign stays as it is.
 * @param entry - entry as it is written
 * @param environment - variables
 */
export function expandEntry(
  entry: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): ExpandedEntry {
  const used = new Set<string>();
  const unset = new Set<string>();
  const text = (written: string) =>
    written.replaceAll(
      /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
      (whole, name: string, fallback: string | undefined) => {
        used.add(name);
        const value = environment[name];
        if (fallback !== undefined) return value || fallback;
        if (value === undefined) unset.add(name);
        return value ?? whole;
      },
    );
  const expanded = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(expanded);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expanded(each)]));
  };
  const entries = Object.entries(entry).map(([key, value]) => [key, expanded(value)]);
  return { entry: Object.fromEntries(entries), used: [...used], unset: [...unset] };
}
