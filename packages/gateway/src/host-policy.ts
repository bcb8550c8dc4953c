import type { PluginToolRegistration } from "@openclaw/plugin-runtime";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import {
  compilePolicy,
  layersFromConfig,
  type Policy,
  PolicyConfigError,
  type PolicyTool,
} from "@openclaw/tool-policy";
import type { LoadedConfiguration } from "./configuration.js";

/**
 * Compiles the host's tool policy from its configuration; a policy that cannot be compiled is never
 * replaced by one that allows (POL-038).
 * @param configuration - with the places of its values
 * @param coreTools - the host's own tools
 * @param pluginTools - what plugins registered
 * @throws PolicyConfigError naming every error with file, line, column and key
 */
export function hostPolicy(
  configuration: LoadedConfiguration,
  coreTools: readonly AnyAgentTool[],
  pluginTools: readonly PluginToolRegistration[],
): Policy {
  const { layers, options, errors } = layersFromConfig(configuration.value, {
    locate: (path) => configuration.locate(path),
  });
  if (errors.length > 0) throw new PolicyConfigError(errors);
  const tools: PolicyTool[] = [
    ...coreTools.map(({ name }) => ({
      name,
      origin: "core" as const,
      optional: false,
      aliases: [],
    })),
    ...pluginTools.flatMap(({ names, pluginId, optional }) =>
      names.map((name) => ({ name, origin: "plugin" as const, pluginId, optional, aliases: [] })),
    ),
  ];
  return compilePolicy(layers, { ...options, tools });
}
