/** Export conditions of the host; the package decides their order. */
const CONDITIONS = new Set(["node", "import", "module-sync", "default"]);

/**
 * Returns the file of one entry in a package's `exports` for an ES import by this host.
 * @param target - a path, a list of fallbacks, or targets by condition
 */
export function exportTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) return firstTarget(target);
  if (typeof target !== "object" || target === null) return undefined;
  return firstTarget(
    Object.entries(target)
      .filter(([condition]) => CONDITIONS.has(condition))
      .map(([, branch]) => branch),
  );
}

function firstTarget(targets: readonly unknown[]): string | undefined {
  for (const target of targets) {
    const file = exportTarget(target);
    if (file !== undefined) return file;
  }
  return undefined;
}
