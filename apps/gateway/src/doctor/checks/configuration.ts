import {
  ConfigurationError,
  formatProblem,
  type LoadedConfiguration,
} from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { resolveStoredSecrets, type StateFolder } from "@openclaw/gateway";
import { inspectOperatorConfiguration } from "../../configuration/inspection.js";
import { EXTENSION_CHECKS, loadFileConfiguration, settingsOverlay } from "../../configuration.js";
import { configurationFileOf } from "../../installation.js";
import { type CheckResult, passed } from "./check.js";

/** Results, and the configuration when it is valid. */
export interface ConfigurationCheck {
  readonly results: readonly CheckResult[];
  readonly configuration: LoadedConfiguration | undefined;
}

/**
 * Checks the configuration with the validator of `config validate` and of the start.
 * @param environment - environment variables
 */
export async function checkConfigurationFile(
  environment: NodeJS.ProcessEnv,
): Promise<ConfigurationCheck> {
  const file = configurationFileOf(environment);
  const { errors, warnings, exists } = await inspectOperatorConfiguration(
    environment,
    readableSettings(environment),
  );
  const result = (status: "warn" | "fail") => (problem: (typeof errors)[number]) => ({
    ...{ name: "config", status, message: formatProblem(problem) },
    hint: "`openclaw config edit` opens the file; `openclaw config restore` puts the last good one back",
  });
  const problems = [...errors.map(result("fail")), ...warnings.map(result("warn"))];
  if (errors.length > 0) return { results: problems, configuration: undefined };
  const ofFile = await loadFileConfiguration(environment);
  const configuration = await readableSettings(environment)(ofFile);
  if (problems.length > 0) return { results: problems, configuration };
  const message = exists ? `${file} is valid` : `${file} does not exist; defaults apply`;
  return { results: [passed("config", message)], configuration };
}

/** The settings of a database that cannot be read are left out: its own check reports the database. */
function readableSettings(environment: NodeJS.ProcessEnv): ReturnType<typeof settingsOverlay> {
  const overlay = settingsOverlay(environment);
  return async (loaded) => {
    try {
      return await overlay(loaded);
    } catch (error) {
      if (ConfigurationError.isInstance(error)) throw error;
      return loaded;
    }
  };
}

/** Result, and the configuration with the values of its secrets when they can be read. */
export interface SecretsCheck {
  readonly result: CheckResult;
  readonly configuration: LoadedConfiguration | undefined;
}

/**
 * Checks that every secret of the configuration is stored and can be read.
 * @param configuration - valid configuration
 * @param environment - environment variables
 */
export async function checkSecrets(
  state: StateFolder,
  configuration: LoadedConfiguration,
  environment: NodeJS.ProcessEnv,
): Promise<SecretsCheck> {
  try {
    const options = { checks: EXTENSION_CHECKS, environment };
    const { count, value } = await resolveStoredSecrets(state, configuration, options);
    const message = count === 0 ? "the configuration refers to no secret" : `${count} can be read`;
    return {
      result: passed("secrets", message),
      configuration: { ...withPlaces(configuration), value },
    };
  } catch (error) {
    return {
      result: {
        name: "secrets",
        status: "fail",
        message: errorMessage(error),
        hint: "`openclaw secrets list` shows what is stored; `openclaw secrets set NAME` stores a value",
      },
      configuration: undefined,
    };
  }
}

function withPlaces({ file, warnings, document, locate }: LoadedConfiguration) {
  return { file, warnings, document, locate };
}
