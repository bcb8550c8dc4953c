import type { DeclaredHooks } from "@openclaw/plugin-sdk/services";
import { declaredPermissions } from "./permissions.js";
import type { PluginPlan } from "./plan.js";

/**
 * Returns the hooks that the manifests of enabled plugins declare (DHOOK-014), and those of bundles (EXT-540).
 * @param plan - plugins to load
 */
export function declaredHooksOf({ load }: PluginPlan): readonly DeclaredHooks[] {
  return load.flatMap(({ id, rootDir, manifest, bundle }) => {
    const { declarativeHooks: hooks } = manifest;
    const handlers = bundle?.hooks ?? [];
    if (hooks === undefined && handlers.length === 0) return [];
    const permissions = declaredPermissions(manifest, id);
    return {
      ...{ pluginId: id, rootDir, hooks },
      programs: permissions.exec ?? [],
      hosts: permissions["network.hosts"] ?? [],
      ...(handlers.length === 0 ? {} : { handlers }),
    };
  });
}
