/** Conditions under which the host imports a package, beside the order the package gives them. */
const CONDITIONS = new Set(["node", "import", "module-sync", "default"]);

/**
 * The file that one entry of a package's `exports` names for an ES import by this host.
 * @param target - a path, a list of fallbacks, or conditions and what they lead to
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
