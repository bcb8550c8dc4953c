/** Setting that environment variables can give. */
export interface EnvironmentSetting {
  /** Path of the key with the same meaning. */
  readonly path: readonly string[];
  /** Names of the variables, the first one that is set counts. */
  readonly variables: readonly string[];
  /** `override` takes precedence over the file; `default` applies when the file does not set the key. */
  readonly strength: "override" | "default";
}

/**
 * Settings that environment variables give. The names of the original are kept, and each is also accepted
 * with the prefix `OPENCLAW_`, which wins (HOST-009).
 */
export const ENVIRONMENT_SETTINGS: readonly EnvironmentSetting[] = [
  {
    path: ["gateway", "port"],
    variables: ["OPENCLAW_PORT", "OPENCLAW_GATEWAY_PORT", "GATEWAY_PORT"],
    strength: "override",
  },
  {
    path: ["safety", "maxOutputLength"],
    variables: prefixed("SAFETY_MAX_OUTPUT_LENGTH"),
    strength: "override",
  },
  {
    path: ["safety", "injectionCheck"],
    variables: prefixed("SAFETY_INJECTION_CHECK_ENABLED"),
    strength: "override",
  },
  {
    path: ["agents", "defaults", "maxIterations"],
    variables: prefixed("AGENT_MAX_TOOL_ITERATIONS"),
    strength: "default",
  },
  {
    path: ["agents", "defaults", "model"],
    variables: prefixed("LLM_BACKEND"),
    strength: "default",
  },
];

function prefixed(variable: string): readonly string[] {
  return [`OPENCLAW_${variable}`, variable];
}

/** Variable that gives a setting, and its value. */
export interface FoundVariable {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the variable that gives a setting; an empty one counts as not set.
 * @param names - names of the variables, the first one that is set counts
 * @param environment - environment variables of the process
 */
export function findVariable(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
): FoundVariable | undefined {
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined && value.trim() !== "") return { name, value };
  }
  return undefined;
}

/**
 * Returns the names of the variables that give settings.
 * @param environment - environment variables of the process
 */
export function variablesInUse(environment: NodeJS.ProcessEnv): string[] {
  return ENVIRONMENT_SETTINGS.flatMap(
    ({ variables }) => findVariable(variables, environment)?.name ?? [],
  );
}

/**
 * Returns the variable that gives the setting of a key; undefined when none is set or the key has none.
 * @param key - dotted path of the key, for example `gateway.port`
 * @param environment - environment variables of the process
 */
export function variableOf(key: string, environment: NodeJS.ProcessEnv): FoundVariable | undefined {
  const setting = ENVIRONMENT_SETTINGS.find(({ path }) => path.join(".") === key);
  return setting && findVariable(setting.variables, environment);
}
