import { toolExecutionSchemas } from "@openclaw/agent";
import {
  type ConfigLayers,
  type ConfigLayersOptions,
  layersFromConfig,
} from "@openclaw/tool-policy";
import type { OpenClawConfiguration } from "./schema.js";

/**
 * Returns the layers of tool policy that a configuration writes, and what is wrong with them.
 * @param configuration - of the right shape
 * @param options - places of values and the depth of subagents
 */
export function policyLayers(
  configuration: OpenClawConfiguration,
  options: Omit<ConfigLayersOptions, "otherToolKeys">,
): ConfigLayers {
  const otherToolKeys = Object.keys(toolExecutionSchemas);
  return layersFromConfig(configuration, { ...options, otherToolKeys });
}
