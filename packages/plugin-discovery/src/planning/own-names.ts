/**
 * Returns the path of a route relative to the plugin's mount `/plugins/<plugin id>`, which is the form in which routes
 * are registered, declared and compared. Older plugins write the mount too; every other path is relative already.
 * @param pluginId - the plugin that has the route
 * @param path - path of the route, or a pattern for paths
 */
export function pathBelowMount(pluginId: string, path: string): string {
  const short = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const mount = [`/plugins/${pluginId}`, `/plugin/${pluginId}`].find(
    (prefix) => short === prefix || short.startsWith(`${prefix}/`),
  );
  if (mount === undefined) return short;
  return short === mount ? "/" : short.slice(mount.length);
}

/**
 * Returns the form in which a manifest declares a name of its plugin: routes relative to the plugin's mount, and session
 * namespaces without the plugin's ID.
 * @param kind - field of the manifest's permissions
 * @param value - declared name or pattern, in this form or with the plugin's prefix
 */
export function ownName(pluginId: string, kind: string, value: string): string {
  if (kind === "routes") return pathBelowMount(pluginId, value);
  const prefix = `${pluginId}/`;
  return kind === "sessions" && value.startsWith(prefix) ? value.slice(prefix.length) : value;
}
