import { deepFreeze } from "@openclaw/plugin-discovery";
import type {
  ConfigMutation,
  HostConfigurationPort,
  RuntimeConfig,
  VisibleConfig,
} from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import { expectFunction, expectObject } from "../../registration/check.js";
import { configDifference } from "./config-difference.js";

/**
 * Creates `runtime.config`: reads the configuration, and changes its file where the host allows it.
 * @param host - changes the file
 * @param current - returns the configuration as the plugin may see it
 */
export function createRuntimeConfig(
  instance: PluginInstance,
  { configFile }: HostConfigurationPort,
  current: () => VisibleConfig,
): RuntimeConfig {
  const { id, origin } = instance;
  // The host takes a change up a moment after it was written; until then the plugin reads what it wrote.
  let written: { readonly over: VisibleConfig; readonly config: VisibleConfig } | undefined;
  const latest = (): VisibleConfig => {
    const inForce = current();
    if (written?.over !== inForce) written = undefined;
    return written?.config ?? inForce;
  };
  const reading = {
    current: latest,
    loadConfig() {
      instance.noteUse("runtime.config.loadConfig");
      return latest();
    },
  };
  if (configFile === undefined) return reading;
  const replace = async (member: string, config: Record<string, unknown>) => {
    instance.assertAlive(member);
    expectObject({ origin, member }, "configuration", config);
    const over = current();
    const changes = configDifference(latest(), config);
    if (changes.length === 0) return;
    const next = deepFreeze(structuredClone(config));
    await configFile.change(id, changes);
    written = { over, config: next };
  };
  return {
    ...reading,
    writeConfigFile: (config) => replace("runtime.config.writeConfigFile", config),
    async replaceConfigFile(replacement) {
      const member = "runtime.config.replaceConfigFile";
      expectObject({ origin, member }, "replacement", replacement);
      await replace(member, replacement.nextConfig);
    },
    async mutateConfigFile(change) {
      const member = "runtime.config.mutateConfigFile";
      instance.assertAlive(member);
      const mutate: ConfigMutation = typeof change === "function" ? change : change.mutate;
      expectFunction({ origin, member }, "change", mutate);
      const draft: Record<string, unknown> = structuredClone({ ...latest() });
      await mutate(draft);
      await replace(member, draft);
    },
  };
}
