import {
  type ConfigLayersOptions,
  compilePolicy,
  layersFromConfig,
  type Policy,
  PolicyConfigError,
  type PolicyProblem,
  type PolicyTool,
  type ToolPolicyConfig,
} from "../../src/index.js";

/** Returns a configuration as parsed from a file, which can have any shape. */
export function parsed(config: unknown): ToolPolicyConfig {
  return JSON.parse(JSON.stringify(config));
}

/** Compiles configuration the way a host does. */
export function configured(
  config: unknown,
  options?: ConfigLayersOptions,
  tools: readonly PolicyTool[] = [],
): Policy {
  const read = layersFromConfig(parsed(config), options);
  if (read.errors.length > 0) throw new PolicyConfigError(read.errors);
  return compilePolicy(read.layers, { ...read.options, tools });
}

/** Code, key and message of everything that is wrong with a configuration. */
export function problemsOf(config: unknown, options?: ConfigLayersOptions): readonly string[] {
  return layersFromConfig(parsed(config), options).errors.map(
    ({ code, key, message }: PolicyProblem) => `${code} ${key}: ${message}`,
  );
}
