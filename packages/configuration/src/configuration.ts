import { errorMessage } from "@openclaw/foundation";
import { composeConfiguration } from "./composition.js";
import type { ConfigurationDocument } from "./document.js";
import { environmentProblems, withSectionsOf } from "./environment.js";
import { ConfigurationError, type ConfigurationProblem } from "./errors.js";
import { readConfigurationText } from "./included-files.js";
import type { ConfigurationPlace } from "./located-value.js";
import type { OpenClawConfiguration } from "./schema.js";

/** Problem in the configuration of a plugin. */
export interface PluginConfigProblem {
  /** Keys and indexes from `plugins.entries.<id>.config`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Checks of bundled plugins that a JSON Schema cannot express, by plugin ID: each returns the problems in
 * `plugins.entries.<id>.config`.
 */
export type PluginConfigChecks = Readonly<
  Record<
    string,
    (
      config: Readonly<Record<string, unknown>>,
      configuration: OpenClawConfiguration,
    ) => Promise<readonly PluginConfigProblem[]>
  >
>;

/** Options of loading a configuration. */
export interface LoadOptions {
  /** Checks of bundled plugins. */
  readonly checks?: PluginConfigChecks | undefined;
  /** Variables that the configuration may refer to; those of the process when absent. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /**
   * Lays values over those of the file that take precedence, for example the settings of the database (HOST-007).
   * @param loaded - configuration of the file
   */
  readonly overlay?: ((loaded: LoadedConfiguration) => Promise<LoadedConfiguration>) | undefined;
}

/** Valid configuration, with the location of each of its values. */
export interface LoadedConfiguration {
  readonly value: OpenClawConfiguration;
  /** Path of the main file; undefined when there is no file and all values are defaults. */
  readonly file: string | undefined;
  /** Problems of the file that do not stop the host. */
  readonly warnings: readonly ConfigurationProblem[];
  /**
   * Returns the location of a value in the file; undefined for values that the file does not contain.
   * @param path - keys and indexes from the root
   */
  locate(path: readonly (string | number)[]): ConfigurationPlace | undefined;
  /** Files and origins of the values; absent when there is no file. */
  readonly document?: ConfigurationDocument | undefined;
}

/**
 * Reads and checks the configuration; a missing file means defaults (GW-002).
 * @param file - absolute path of `openclaw.json`
 * @param options - checks of bundled plugins, and variables
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
export async function loadConfiguration(
  file: string,
  options: LoadOptions = {},
): Promise<LoadedConfiguration> {
  const loaded = await loadFile(file, options);
  return (await options.overlay?.(loaded)) ?? loaded;
}

async function loadFile(file: string, options: LoadOptions): Promise<LoadedConfiguration> {
  const environment = options.environment ?? process.env;
  const ofVariables = environmentProblems(environment);
  const text = await readConfiguration(file);
  if (ofVariables.length > 0)
    throw new ConfigurationError([...(await errorsOf(text, file, options)), ...ofVariables]);
  if (text === undefined) {
    const value = withSectionsOf({}, environment);
    return { value, file: undefined, warnings: [], locate: () => undefined };
  }
  const checked = await checkedConfiguration(text, file, options);
  return { ...checked, value: withSectionsOf(checked.value, environment) };
}

/** Returns the errors of a file, so that they are reported together with those of variables. */
async function errorsOf(
  text: string | undefined,
  file: string,
  options: LoadOptions,
): Promise<readonly ConfigurationProblem[]> {
  if (text === undefined) return [];
  try {
    await checkedConfiguration(text, file, options);
    return [];
  } catch (error) {
    if (ConfigurationError.isInstance(error)) return error.problems;
    throw error;
  }
}

/**
 * Checks the text of a configuration.
 * @param text - content of its file
 * @param file - path of the file, for messages and locations
 * @param options - checks of bundled plugins, and variables
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
async function checkedConfiguration(
  text: string,
  file: string,
  options: LoadOptions = {},
): Promise<LoadedConfiguration> {
  const { checks = {}, environment = process.env } = options;
  return checkedDocument(await composeConfiguration(text, file, environment), checks);
}

/**
 * Checks a parsed configuration.
 * @param document - configuration with its included files
 * @param checks - checks of bundled plugins
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
export async function checkedDocument(
  document: ConfigurationDocument,
  checks: PluginConfigChecks = {},
): Promise<LoadedConfiguration> {
  // Import the schema compiler only when there is a file to check.
  const { checkConfiguration } = await import("./check.js");
  const { value, errors, warnings } = checkConfiguration(document);
  if (value === undefined) throw new ConfigurationError(errors);
  const pluginProblems = await problemsOfPlugins(value, document.place, checks);
  if (pluginProblems.length > 0) throw new ConfigurationError(pluginProblems);
  return {
    value,
    file: document.file,
    warnings,
    locate: (path) => (document.has(path) ? document.place(path) : undefined),
    document,
  };
}

/**
 * Returns the problems that checks find in the configuration of plugins.
 * @param value - valid configuration
 * @param place - returns the location of a value
 * @param checks - checks by plugin ID
 */
export async function problemsOfPlugins(
  value: OpenClawConfiguration,
  place: ConfigurationDocument["place"],
  checks: PluginConfigChecks,
): Promise<ConfigurationProblem[]> {
  const found: ConfigurationProblem[] = [];
  for (const [id, check] of Object.entries(checks)) {
    const config = value.plugins?.entries?.[id]?.config;
    if (config === undefined) continue;
    const above = ["plugins", "entries", id, "config"];
    for (const { path, ...problem } of await check(config, value)) {
      const key = [...above, ...path].reduce<string>(
        (before, step) =>
          typeof step === "number"
            ? `${before}[${step}]`
            : before === ""
              ? step
              : `${before}.${step}`,
        "",
      );
      found.push({ key, ...problem, ...place([...above, ...path]) });
    }
  }
  return found;
}

/**
 * Reads the main file of a configuration.
 * @param file - absolute path
 * @returns undefined when the file does not exist
 * @throws ConfigurationError when it cannot be read or is too large
 */
export async function readConfiguration(file: string): Promise<string | undefined> {
  try {
    return await readConfigurationText(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ConfigurationError([
      {
        key: "",
        message: `cannot read the file (${errorMessage(error)})`,
        suggestion: "make it a regular file of at most 1 MiB that this user can read",
        file,
        line: 1,
        column: 1,
      },
    ]);
  }
}
