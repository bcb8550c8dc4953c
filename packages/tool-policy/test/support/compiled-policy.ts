import {
  type ConfigLayersOptions,
  compilePolicy,
  layersFromConfig,
  type Policy,
  PolicyConfigError,
  type PolicyProblem,
  type PolicyTool,
} from "../../src/index.js";

/** Compiles configuration the way a host does. */
export function configured(
  config: unknown,
  options?: ConfigLayersOptions,
  tools: readonly PolicyTool[] = [],
): Policy {
  const read = layersFromConfig(config, options);
  if (read.errors.length > 0) throw new PolicyConfigError(read.errors);
  return compilePolicy(read.layers, { ...read.options, tools });
}

/** Code, key and message of everything that is wrong with a configuration. */
export function problemsOf(config: unknown, options?: ConfigLayersOptions): readonly string[] {
  return layersFromConfig(config, options).errors.map(
    ({ code, key, message }: PolicyProblem) => `${code} ${key}: ${message}`,
  );
}
