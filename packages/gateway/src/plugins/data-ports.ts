import type { PluginPlaces } from "../methods/host-overview.js";
import { stateFolderAt } from "../state/folder.js";
import { openLog } from "../state/log.js";
import type { DataPorts } from "../upkeep/plugin-move.js";
import { createHostPlugins } from "./plugins.js";

/**
 * Returns what finds the data ports of plugins: it imports their modules, and registers and starts nothing.
 * @param places - locations of plugins
 */
export function dataPortsOf(places: PluginPlaces): DataPorts {
  return async (pluginIds) => {
    const log = openLog(undefined, { level: "silent" });
    const runtime = createHostPlugins({ ...places, state: stateFolderAt(places.stateDir), log });
    try {
      return await runtime.dataPorts(pluginIds);
    } finally {
      await runtime.dispose();
    }
  };
}
