import { composeConfiguration } from "../composition.js";
import { readConfiguration } from "../configuration.js";
import type { ConfigurationDocument } from "../document.js";
import { ConfigurationConflictError, ConfigurationError } from "../errors.js";
import {
  type ChangedConfiguration,
  type ChangeOptions,
  checkChange,
  currentHash,
  plannedChange,
} from "./change.js";
import type { ConfigurationChange } from "./text-change.js";

/** File of a configuration as a change would leave it. */
export interface PreviewedFile {
  readonly file: string;
  /** Present content; undefined for a file that the change creates. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Configuration as a change would leave it. */
export interface ConfigurationPreview {
  readonly files: readonly PreviewedFile[];
  /** Present configuration; undefined when its file does not parse. */
  readonly before: ConfigurationDocument | undefined;
  readonly after: ChangedConfiguration;
}

/**
 * Returns the files as changes would leave them, and writes nothing.
 * @param file - absolute path of the main file
 * @param changes - changes in the order in which they are made
 * @param options - hash that the changes are based on, checks and variables
 * @throws ConfigurationError when the file with the changes would not be valid
 * @throws ConfigurationConflictError when the configuration is not the one that the changes are based on
 */
export async function previewChanges(
  file: string,
  changes: readonly ConfigurationChange[],
  options: ChangeOptions = {},
): Promise<ConfigurationPreview> {
  const planned = await plannedChange(file, changes, options);
  const { original, written, current, configuration, exists } = planned;
  const files = written.map(([source, after]) => ({
    file: source,
    before: source === file && !exists ? undefined : original.get(source),
    after,
  }));
  return { files, before: current, after: configuration };
}

/**
 * Returns the main file as another text would leave it, and writes nothing.
 * @param file - absolute path of the main file
 * @param text - new content
 * @param options - hash that the text is based on, checks and variables
 * @throws ConfigurationError when the text is not valid
 * @throws ConfigurationConflictError when the configuration is not the one that the text is based on
 */
export async function previewText(
  file: string,
  text: string,
  options: ChangeOptions = {},
): Promise<ConfigurationPreview> {
  const { baseHash, checks, checkEntries, environment = process.env } = options;
  const hash = await currentHash(file, options);
  if (baseHash !== undefined && baseHash !== hash) throw new ConfigurationConflictError(file, hash);
  const found = await readConfiguration(file);
  const document = await composeConfiguration(text, file, environment);
  const after = await checkChange(document, { checks, checkEntries }, [[]], document);
  const before = await composed(found ?? "{}", file, environment);
  return { files: found === text ? [] : [{ file, before: found, after: text }], before, after };
}

/** A file that does not parse can be replaced, too. */
async function composed(
  text: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<ConfigurationDocument | undefined> {
  try {
    return await composeConfiguration(text || "{}", file, environment);
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return undefined;
  }
}
