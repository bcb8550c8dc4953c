import { changeConfiguration, type LoadOptions } from "@openclaw/configuration";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HostConfigurationPort } from "@openclaw/plugin-sdk/services";

/**
 * Creates the access of plugins to the configuration file. A change is checked like an edit of the operator, written in
 * one step and logged; the host takes it up as it takes up other edits of the file (GW-007).
 * @param file - absolute path of the main file
 * @param options - checks and variables
 * @param logger - receives a line per change
 */
export function createPluginConfigurationPort(
  file: string,
  options: LoadOptions,
  logger: Logger,
): NonNullable<HostConfigurationPort["configFile"]> {
  return {
    async change(pluginId, changes) {
      await changeConfiguration(
        file,
        changes.map(({ path, value }) => [path, value]),
        options,
      );
      const keys = changes.map(({ path }) => path.join(".")).join(", ");
      logger.info(`plugin "${pluginId}" changed the configuration: ${keys}`, { pluginId });
    },
  };
}
