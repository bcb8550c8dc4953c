import { readFile } from "node:fs/promises";
import type { TextPlace } from "@openclaw/foundation/json-document";
import { ConfigurationError, type ConfigurationProblem } from "../errors.js";
import { type ConfigurationDocument, parseConfigurationDocument } from "./document.js";
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
    (config: Readonly<Record<string, unknown>>) => Promise<readonly PluginConfigProblem[]>
  >
>;

/** Valid configuration, with the location of each of its values. */
export interface LoadedConfiguration {
  readonly value: OpenClawConfiguration;
  /** Path of the file it was read from; undefined when there is no file and all values are defaults. */
  readonly file: string | undefined;
  /** Problems of the file that do not stop the host. */
  readonly warnings: readonly ConfigurationProblem[];
  /**
   * Returns the location of a value in the file; undefined for values that the file does not contain.
   * @param path - keys and indexes from the root
   */
  locate(path: readonly (string | number)[]): ({ readonly file: string } & TextPlace) | undefined;
}

/**
 * Reads and checks the configuration; a missing file means defaults (GW-002).
 * @param file - absolute path of `openclaw.json`
 * @param checks - checks of bundled plugins
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
export async function loadConfiguration(
  file: string,
  checks: PluginConfigChecks = {},
): Promise<LoadedConfiguration> {
  const text = await readConfiguration(file);
  if (text === undefined) {
    return { value: {}, file: undefined, warnings: [], locate: () => undefined };
  }
  return await checkedConfiguration(text, file, checks);
}

/**
 * Checks the text of a configuration.
 * @param text - content of its file
 * @param file - path of the file, for messages and locations
 * @param checks - checks of bundled plugins
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
export async function checkedConfiguration(
  text: string,
  file: string,
  checks: PluginConfigChecks = {},
): Promise<LoadedConfiguration> {
  const document = parseConfigurationDocument(text, file);
  // Import the schema compiler only when there is a file to check.
  const { checkConfiguration } = await import("./check.js");
  const { value, errors, warnings } = checkConfiguration(document);
  if (value === undefined) throw new ConfigurationError(errors);
  const pluginProblems = await problemsOfPlugins(value, document, checks);
  if (pluginProblems.length > 0) throw new ConfigurationError(pluginProblems);
  return {
    value,
    file,
    warnings,
    locate: (path) => (document.has(path) ? { file, ...document.place(path) } : undefined),
  };
}

async function problemsOfPlugins(
  { plugins }: OpenClawConfiguration,
  { file, place }: ConfigurationDocument,
  checks: PluginConfigChecks,
): Promise<ConfigurationProblem[]> {
  const found: ConfigurationProblem[] = [];
  for (const [id, check] of Object.entries(checks)) {
    const config = plugins?.entries?.[id]?.config;
    if (config === undefined) continue;
    const above = ["plugins", "entries", id, "config"];
    for (const { path, ...problem } of await check(config)) {
      const key = [...above, ...path].reduce<string>(
        (before, step) =>
          typeof step === "number"
            ? `${before}[${step}]`
            : before === ""
              ? step
              : `${before}.${step}`,
        "",
      );
      found.push({ key, ...problem, file, ...place([...above, ...path]) });
    }
  }
  return found;
}

async function readConfiguration(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ConfigurationError([
      {
        key: "",
        message: `cannot read the file (${message})`,
        suggestion: "make it readable for this user",
        file,
        line: 1,
        column: 1,
      },
    ]);
  }
}
