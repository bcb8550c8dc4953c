/**
 * Brings the path of a route into the form that `api.registerHttpRoute` takes.
 * @param path - with or without a slash in front
 * @param fallback - used when the path is empty
 * @returns null when both are empty
 * @deprecated Begin the path with a slash.
 */
export function normalizePluginHttpPath(
  path: string | null | undefined,
  fallback?: string | null,
): string | null {
  const given = [path, fallback].map((text) => text?.trim() ?? "").find((text) => text !== "");
  if (given === undefined) return null;
  return given.startsWith("/") ? given : `/${given}`;
}
