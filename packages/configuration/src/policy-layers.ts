import { toolExecutionSchemas } from "@openclaw/agent";
import {
  type ConfigLayers,
  type ConfigLayersOptions,
  candidateConfig,
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

/**
 * Returns the layers of the policy that is tried in addition to the one in force (POL-035), and their problems with the keys of
 * the file.
 * @param configuration - configuration that matches the schema
 * @param options - locations of values and the depth of subagents
 * @returns undefined when no policy is tried
 */
export function candidateLayers(
  configuration: OpenClawConfiguration,
  { locate = () => undefined, ...options }: Omit<ConfigLayersOptions, "otherToolKeys">,
): ConfigLayers | undefined {
  const candidate = candidateConfig(configuration, locate);
  if (candidate === undefined) return undefined;
  const { config, keyOf } = candidate;
  const layers = layersFromConfig(config, { ...options, locate: candidate.locate });
  const { errors, warnings } = layers;
  return {
    ...layers,
    errors: errors.map((error) => ({ ...error, key: keyOf(error.key) })),
    warnings: warnings.map((warning) => ({ ...warning, key: keyOf(warning.key) })),
  };
}
