import { toolExecutionSchemas } from "@openclaw/agent";
import {
  type ConfigLayers,
  type ConfigLayersOptions,
  layersFromConfig,
} from "@openclaw/tool-policy";
import type { OpenClawConfiguration } from "./schema.js";

/**
 * Returns the tool policy layers of a configuration, and their problems.
 * @param configuration - configuration that matches the schema
 * @param options - locations of values and the depth of subagents
 */
export function policyLayers(
  configuration: OpenClawConfiguration,
  options: Omit<ConfigLayersOptions, "otherToolKeys">,
): ConfigLayers {
  const otherToolKeys = Object.keys(toolExecutionSchemas);
  return layersFromConfig(configuration, { ...options, otherToolKeys });
}
