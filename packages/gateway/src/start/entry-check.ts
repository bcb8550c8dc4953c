import type { EntryCheck } from "@openclaw/configuration";
import type { GatewayOptions } from "../gateway-options.js";
import type { Host } from "../host/running-host.js";

/**
 * Creates the check of the plugins and channels that a change of the configuration names. Changes are rare, so that its
 * code is loaded with the first one.
 * @param options - locations of plugins
 * @param host - returns the running host, whose plugins and channels exist
 */
export function entryCheckOf(
  options: GatewayOptions,
  stateDir: string,
  host: () => Pick<Host, "plugins" | "router">,
): EntryCheck {
  const { version, workspaceDir, bundledExtensions, pluginPaths, isTrusted, environment } = options;
  const { settingChecks } = options;
  return async (configuration, changed) => {
    const { createEntryCheck } = await import("../diagnostics/changed-entries.js");
    const { componentTools } = await import("../methods/tool-catalog.js");
    const check = createEntryCheck({
      ...{ version, stateDir, bundledExtensions, pluginPaths, environment, settingChecks },
      ...(isTrusted === undefined ? {} : { isTrusted }),
      workspaceOf: () => workspaceDir,
      running: () => host().plugins.current,
      madeTools: async () =>
        (await componentTools(host())).map(({ name, pluginId = "", optional }) => {
          return { names: [name], pluginId, optional };
        }),
    });
    return check(configuration, changed);
  };
}
