import type { DeclaredServers } from "@openclaw/plugin-sdk/services";
import type { PluginPlan } from "./plan.js";

/**
 * Returns the MCP servers of the bundles that are enabled (EXT-535).
 * @param plan - plugins to load
 */
export function declaredServersOf({
  load,
}: PluginPlan): readonly Omit<DeclaredServers, "dataDir">[] {
  return load.flatMap(({ id, rootDir, bundle }) => {
    const servers = bundle?.mcpServers ?? {};
    if (bundle === undefined || Object.keys(servers).length === 0) return [];
    return { pluginId: id, rootDir, servers, isPortable: bundle.format === "agent-plugins" };
  });
}
