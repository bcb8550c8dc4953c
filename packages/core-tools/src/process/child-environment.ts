import { isSecretValue, isSecretVariable } from "@openclaw/safety";
import { CoreToolOptionsError, ToolRefusalError } from "../errors.js";

/** Variables a child process gets when the host has them (SAFE-046). */
const PASSED_ON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "LC_COLLATE",
  "LC_MESSAGES",
  "LC_NUMERIC",
  "LC_TIME",
  "TZ",
  "TERM",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "GOPATH",
  "GOROOT",
  "JAVA_HOME",
  "MAVEN_HOME",
  "GRADLE_USER_HOME",
  "ANDROID_HOME",
  "DOTNET_ROOT",
  "NVM_DIR",
  "PNPM_HOME",
  "VOLTA_HOME",
  "BUN_INSTALL",
  "DENO_DIR",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "GEM_HOME",
] as const;

/** Variables that make a loader, an interpreter or the shell itself run code the command does not show. */
const CODE_LOADING =
  /^(?:LD_|DYLD_|BASH_FUNC_)|^(?:NODE_OPTIONS|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4)$/;

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Environment variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of child processes: a fixed list of harmless variables and those the
 * operator named, never one that loads code or looks like a secret (SAFE-046, D27).
 * @param environment - the host's own environment
 * @param passEnvironment - further names the operator wants passed on
 * @returns variables that are set; one of the fixed list is left out where its value looks like a secret
 * @throws CoreToolOptionsError when `passEnvironment` names a variable that may not be passed on
 */
export function childEnvironment(
  environment: Environment,
  passEnvironment: readonly string[] = [],
): Record<string, string> {
  for (const name of passEnvironment) {
    const problem = variableProblem(name, ownValue(environment, name) ?? "");
    if (problem === undefined) continue;
    throw new CoreToolOptionsError(
      "passEnvironment",
      `names ${name}, which ${problem}; child processes never get it, so take it out of the list`,
    );
  }
  const child: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...passEnvironment]) {
    const value = ownValue(environment, name);
    if (value !== undefined && variableProblem(name, value) === undefined) child[name] = value;
  }
  return child;
}

/**
 * Returns the environment of one call: the child environment with the call's variables on top.
 * @param base - result of {@link childEnvironment}
 * @param added - variables of the call
 * @throws ToolRefusalError when one of them may not be set
 */
export function withVariables(
  base: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  for (const [name, value] of Object.entries(added)) {
    const problem = variableProblem(name, value);
    if (problem === undefined) continue;
    throw new ToolRefusalError(
      "forbidden-variable",
      `The variable ${name} cannot be set: it ${problem}. Run the command without it.`,
    );
  }
  return { ...base, ...added };
}

function ownValue(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

function variableProblem(name: string, value: string): string | undefined {
  const upper = name.toUpperCase();
  if (CODE_LOADING.test(upper)) return "can make programs load other code";
  if (isSecretVariable(name)) return "has the name of a secret";
  if (isSecretValue(value)) return "has a value like a secret";
  if (!VARIABLE_NAME.test(name)) return "is not a valid variable name";
  if (value.includes("\0")) return "holds a NUL character";
  return undefined;
}
