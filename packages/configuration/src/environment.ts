import { defined } from "@openclaw/foundation";
import { ConfigurationError, type ConfigurationProblem } from "./errors.js";
import { gatewayProblems } from "./gateway-problems.js";
import type { OpenClawConfiguration } from "./schema.js";
import { schemaAt } from "./schema-path.js";
import { namesSecret } from "./secret-keys.js";

/** Setting that environment variables can give. */
export interface EnvironmentSetting {
  /** Path of the key with the same meaning. */
  readonly path: readonly string[];
  /** Names of the variables, the first one that is set counts. */
  readonly variables: readonly string[];
}

/**
 * Settings that environment variables give. The names of the original are kept, and each is also accepted
 * with the prefix `OPENCLAW_`, which wins (HOST-009).
 */
export const ENVIRONMENT_SETTINGS: readonly EnvironmentSetting[] = [
  {
    path: ["gateway", "port"],
    variables: ["OPENCLAW_PORT", "OPENCLAW_GATEWAY_PORT", "GATEWAY_PORT"],
  },
  {
    path: ["gateway", "enabled"],
    variables: prefixed("GATEWAY_ENABLED"),
  },
  {
    path: ["gateway", "bind"],
    variables: prefixed("GATEWAY_HOST"),
  },
  {
    path: ["gateway", "auth", "token"],
    variables: prefixed("GATEWAY_AUTH_TOKEN"),
  },
  {
    path: ["safety", "maxOutputLength"],
    variables: prefixed("SAFETY_MAX_OUTPUT_LENGTH"),
  },
  {
    path: ["safety", "injectionCheck"],
    variables: prefixed("SAFETY_INJECTION_CHECK_ENABLED"),
  },
  {
    path: ["agents", "defaults", "maxIterations"],
    variables: prefixed("AGENT_MAX_TOOL_ITERATIONS"),
  },
  {
    path: ["agents", "defaults", "agentRuntime", "id"],
    variables: ["OPENCLAW_AGENT_RUNTIME"],
  },
  {
    path: ["models", "budget", "maxCostPerDayCents"],
    variables: prefixed("MAX_COST_PER_DAY_CENTS"),
  },
  {
    path: ["models", "budget", "maxActionsPerHour"],
    variables: prefixed("MAX_ACTIONS_PER_HOUR"),
  },
  {
    // It names a provider: a configured model of that provider remains in force.
    path: ["agents", "defaults", "model"],
    variables: prefixed("LLM_BACKEND"),
  },
  { path: ["session", "idleTimeoutSeconds"], variables: prefixed("SESSION_IDLE_TIMEOUT_SECS") },
  { path: ["jobs", "maxParallel"], variables: prefixed("AGENT_MAX_PARALLEL_JOBS") },
  { path: ["jobs", "timeoutSeconds"], variables: prefixed("AGENT_JOB_TIMEOUT_SECS") },
  { path: ["jobs", "stuckSeconds"], variables: prefixed("AGENT_STUCK_THRESHOLD_SECS") },
  { path: ["jobs", "checkSeconds"], variables: prefixed("SELF_REPAIR_CHECK_INTERVAL_SECS") },
  { path: ["jobs", "maxRepairs"], variables: prefixed("SELF_REPAIR_MAX_ATTEMPTS") },
  { path: ["jobs", "planning"], variables: prefixed("AGENT_USE_PLANNING") },
  { path: ["routines", "checkSeconds"], variables: prefixed("ROUTINES_CRON_INTERVAL") },
  { path: ["routines", "cooldownSeconds"], variables: prefixed("ROUTINES_DEFAULT_COOLDOWN") },
  { path: ["routines", "maxConcurrent"], variables: prefixed("ROUTINES_MAX_CONCURRENT") },
  { path: ["heartbeat", "enabled"], variables: prefixed("HEARTBEAT_ENABLED") },
  { path: ["heartbeat", "intervalSeconds"], variables: prefixed("HEARTBEAT_INTERVAL_SECS") },
  { path: ["heartbeat", "channel"], variables: prefixed("HEARTBEAT_NOTIFY_CHANNEL") },
  { path: ["heartbeat", "to"], variables: prefixed("HEARTBEAT_NOTIFY_USER") },
  {
    path: ["embeddings", "enabled"],
    variables: prefixed("EMBEDDING_ENABLED"),
  },
  {
    path: ["embeddings", "provider"],
    variables: prefixed("EMBEDDING_PROVIDER"),
  },
  {
    path: ["embeddings", "model"],
    variables: prefixed("EMBEDDING_MODEL"),
  },
  {
    path: ["channels", "http", "webhookSecret"],
    variables: prefixed("HTTP_WEBHOOK_SECRET"),
  },
  {
    path: ["channels", "http", "userId"],
    variables: prefixed("HTTP_USER_ID"),
  },
  { path: ["channels", "http", "host"], variables: prefixed("HTTP_HOST") },
  { path: ["channels", "http", "port"], variables: prefixed("HTTP_PORT") },
];

function prefixed(variable: string): readonly string[] {
  return [`OPENCLAW_${variable}`, variable];
}

const HTTP_CHANNEL = ["channels", "http"] as const;

/**
 * Returns a configuration with the sections of the environment that are read as a whole: the listener of the gateway
 * (CHAN-027), and the channel `http`.
 * @param value - configuration of the file
 * @param environment - environment variables of the process, without problems
 */
export function withSectionsOf(
  value: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
): OpenClawConfiguration {
  return withGatewayOf(withChannelsOf(value, environment), environment);
}

function withGatewayOf(
  value: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
): OpenClawConfiguration {
  const { gateway } = value;
  const token = findVariable(variablesOf("gateway.auth.token"), environment)?.value;
  const given = defined({
    enabled: flagFromEnvironment("gateway.enabled", environment),
    bind: findVariable(variablesOf("gateway.bind"), environment)?.value,
    auth: token === undefined ? undefined : { ...gateway?.auth, token },
  });
  return Object.keys(given).length === 0 ? value : { ...value, gateway: { ...gateway, ...given } };
}

function variablesOf(key: string): readonly string[] {
  return ENVIRONMENT_SETTINGS.find(({ path }) => path.join(".") === key)?.variables ?? [];
}

/**
 * Returns a configuration with the channel `http` of the environment: `HTTP_WEBHOOK_SECRET` enables the channel, and
 * the other variables change one that is configured (CHAN-023).
 * @param value - configuration of the file
 * @param environment - environment variables of the process
 */
function withChannelsOf(
  value: OpenClawConfiguration,
  environment: NodeJS.ProcessEnv,
): OpenClawConfiguration {
  const found = ENVIRONMENT_SETTINGS.flatMap(({ path, variables }) => {
    const [section, channel, key = ""] = path;
    if (section !== HTTP_CHANNEL[0] || channel !== HTTP_CHANNEL[1]) return [];
    const variable = findVariable(variables, environment);
    return variable === undefined ? [] : [[key, variable.value] as const];
  });
  const http = value.channels?.http;
  const own = typeof http === "object" && http !== null ? http : undefined;
  if (own === undefined && !found.some(([key]) => key === "webhookSecret")) return value;
  const given = { ...own, ...Object.fromEntries(found) };
  return { ...value, channels: { ...value.channels, http: given } };
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

/**
 * Returns the number that a variable gives to a key; undefined when none is set.
 * @param key - dotted path of the key
 * @param environment - environment variables of the process
 * @throws ConfigurationError that names the variable and the expected form
 */
export function numberFromEnvironment(
  key: string,
  environment: NodeJS.ProcessEnv,
): number | undefined {
  const value = valueFromEnvironment(key, environment);
  return typeof value === "number" ? value : undefined;
}

/**
 * Returns the boolean that a variable gives to a key; undefined when none is set.
 * @param key - dotted path of the key
 * @param environment - environment variables of the process
 * @throws ConfigurationError that names the variable and the expected form
 */
export function flagFromEnvironment(
  key: string,
  environment: NodeJS.ProcessEnv,
): boolean | undefined {
  const value = valueFromEnvironment(key, environment);
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Returns the text that a variable gives to a key; undefined when none is set.
 * @param key - dotted path of the key
 * @param environment - environment variables of the process
 * @throws ConfigurationError that names the variable and the expected form
 */
export function textFromEnvironment(
  key: string,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const value = valueFromEnvironment(key, environment);
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns the problems of the variables that give settings (HOST-008).
 * @param environment - environment variables of the process
 */
export function environmentProblems(environment: NodeJS.ProcessEnv): ConfigurationProblem[] {
  return ENVIRONMENT_SETTINGS.flatMap((setting) => {
    const variable = findVariable(setting.variables, environment);
    const read = variable && readVariable(setting, variable);
    return read !== undefined && "problem" in read ? [read.problem] : [];
  });
}

/**
 * Returns the value of a variable in the type of its key; text that does not have its form is returned as it is.
 * @param setting - setting that the variable gives
 * @param variable - variable that is set
 */
export function shownVariable(setting: EnvironmentSetting, variable: FoundVariable): unknown {
  const read = readVariable(setting, variable);
  return "problem" in read ? variable.value : read.value;
}

function valueFromEnvironment(key: string, environment: NodeJS.ProcessEnv): unknown {
  const setting = ENVIRONMENT_SETTINGS.find(({ path }) => path.join(".") === key);
  const variable = setting && findVariable(setting.variables, environment);
  if (setting === undefined || variable === undefined) return undefined;
  const read = readVariable(setting, variable);
  if ("problem" in read) throw new ConfigurationError([read.problem]);
  return read.value;
}

type ReadVariable = { readonly value: unknown } | { readonly problem: ConfigurationProblem };

function readVariable(
  { path }: EnvironmentSetting,
  { name, value: text }: FoundVariable,
): ReadVariable {
  const { type, minimum, maximum } = schemaAt(path) ?? {};
  const found = namesSecret(path) ? "another value" : JSON.stringify(text);
  const refuse = (expected: string): ReadVariable => ({
    problem: {
      key: name,
      message: `expected ${expected}, got ${found}`,
      suggestion: `unset it, or set ${path.join(".")} in the configuration file`,
      ...{ file: "environment", line: 1, column: 1 },
    },
  });
  if (type === "boolean") {
    const flag = FLAGS.get(text.trim().toLowerCase());
    return flag === undefined ? refuse("true, false, 1 or 0") : { value: flag };
  }
  if (path[0] === "gateway" && type === "string") {
    const expected = expectedOfGateway(path, text);
    return expected === undefined ? { value: text } : refuse(expected);
  }
  if (type !== "integer") return { value: text };
  const number = Number(text);
  const least = typeof minimum === "number" ? minimum : 0;
  const most = typeof maximum === "number" ? maximum : Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(number) && number >= least && number <= most) return { value: number };
  const range = typeof maximum === "number" ? `from ${least} to ${most}` : `of at least ${least}`;
  return refuse(`a whole number ${range}`);
}

/** Returns the expected form of a text of the section `gateway`; undefined when the text has it. */
function expectedOfGateway(path: readonly string[], text: string): string | undefined {
  if (path.at(-1) === "bind") {
    const isValid = gatewayProblems({ bind: text }).length === 0;
    return isValid ? undefined : "loopback, lan or an IP address";
  }
  const { minLength, pattern } = schemaAt(path) ?? {};
  const least = typeof minLength === "number" ? minLength : 0;
  const isValid =
    text.length >= least && (typeof pattern !== "string" || new RegExp(pattern).test(text));
  return isValid ? undefined : `at least ${least} ASCII characters without spaces`;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);
