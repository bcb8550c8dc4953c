export { type GlobalHookRunner, getGlobalHookRunner } from "./hook-runtime.js";
/**
 * Normalises the path of a route to the form that `api.registerHttpRoute` takes.
 * @param path - path with or without a leading slash
 * @param fallback - used when the path is empty
 * @returns the path; null when both are empty
 * @deprecated Start the path with a slash.
 */
export function normalizePluginHttpPath(
  path: string | null | undefined,
  fallback?: string | null,
): string | null {
  const given = [path, fallback].map((text) => text?.trim() ?? "").find((text) => text !== "");
  if (given === undefined) return null;
  return given.startsWith("/") ? given : `/${given}`;
}
