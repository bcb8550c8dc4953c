import type { DeclaredHooks } from "@openclaw/plugin-sdk/services";
import { declaredPermissions } from "./permissions.js";
import type { PluginPlan } from "./plan.js";

/**
 * Returns the hooks that the manifests of enabled plugins declare (DHOOK-014).
 * @param plan - plugins to load
 */
export function declaredHooksOf({ load }: PluginPlan): readonly DeclaredHooks[] {
  return load.flatMap(({ id, rootDir, manifest }) => {
    const { declarativeHooks: hooks } = manifest;
    if (hooks === undefined) return [];
    const permissions = declaredPermissions(manifest, id);
    return {
      ...{ pluginId: id, rootDir, hooks },
      programs: permissions.exec ?? [],
      hosts: permissions["network.hosts"] ?? [],
    };
  });
}
