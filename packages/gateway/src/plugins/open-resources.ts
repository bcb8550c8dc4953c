import type { OpenResource } from "@openclaw/plugin-loader";
import type { Logger } from "@openclaw/plugin-sdk";

/**
 * Names what plugins left open at the stop of the host. The process does not wait for it (PLUG-104).
 * @param open - resources that are still open
 * @param logger - receives a line per plugin
 */
export function reportOpenResources(open: readonly OpenResource[], logger: Logger): void {
  for (const pluginId of new Set(open.map((resource) => resource.pluginId))) {
    const own = open.filter((resource) => resource.pluginId === pluginId);
    const names = own.map(({ name }) => name).join(", ");
    logger.warn(
      `plugin "${pluginId}" left open at the stop: ${names}; close them in api.lifecycle.onDispose`,
      { code: "PLUGIN_LEFT_OPEN", pluginId },
    );
  }
}
