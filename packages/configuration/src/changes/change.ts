import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { composeConfiguration } from "../composition.js";
import {
  checkedDocument,
  type LoadedConfiguration,
  type LoadOptions,
  readConfiguration,
} from "../configuration.js";
import { type ConfigurationDocument, hashOfSources } from "../document.js";
import {
  ConfigurationConflictError,
  ConfigurationError,
  type ConfigurationProblem,
  NOTHING_WRITTEN,
} from "../errors.js";
import { checkChangedEntries, type EntryCheck } from "./entry-check.js";
import { withConfigurationLock } from "./lock.js";
import { replaceFile } from "./replacement.js";
import { applyChange, type ConfigurationChange } from "./text-change.js";
import { applyWritten, type ReplacedText } from "./written-change.js";

/** Options of {@link changeConfiguration}. */
export interface ChangeOptions extends LoadOptions {
  /** Hash of the configuration that the change is based on; the current one when absent. */
  readonly baseHash?: string | undefined;
  /** Check of the entries that a change touches; none when absent. */
  readonly checkEntries?: EntryCheck | undefined;
  /**
   * Puts the written configuration in force; when it throws a ConfigurationRejectedError, the files are put back, and it is
   * called again with them.
   * @param configuration - configuration of the files
   */
  readonly apply?: ((configuration: LoadedConfiguration) => Promise<void>) | undefined;
}

/** Configuration after a change. */
export interface ChangedConfiguration extends LoadedConfiguration {
  /** Warnings of {@link EntryCheck} about the change. */
  readonly entryWarnings: readonly ConfigurationProblem[];
}

/** Number of attempts when an editor saves the file during a change. */
const ATTEMPTS = 5;

/**
 * Changes values of a configuration. The file that has the key is edited in place, also an included one; the
 * configuration is checked as a whole and written in one step, so that a change that would not load is never
 * written (GW-007).
 * @param file - absolute path of the main file; created when it is missing
 * @param changes - changes in the order in which they are made
 * @param options - hash that the change is based on, checks and variables
 * @returns the changed configuration
 * @throws ConfigurationError when the file with the changes would not be valid
 * @throws ConfigurationConflictError when the configuration is not the one that the change is based on
 * @throws ConfigurationBusyError when another process keeps changing the file
 * @throws ConfigurationRejectedError of `apply`; the files are then as before
 */
export async function changeConfiguration(
  file: string,
  changes: readonly ConfigurationChange[],
  options: ChangeOptions = {},
): Promise<ChangedConfiguration> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // When the path is a link, replace its target and keep the link.
  const target = await realpath(file).catch(missing(file));
  const { replaced, entryWarnings } = await withConfigurationLock(target, async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const done = await changeOnce({ file, target }, changes, options);
      if (done !== undefined) return done;
    }
    throw new ConfigurationConflictError(file, await currentHash(file, options));
  });
  return { ...(await applyWritten({ file, target }, replaced, options)), entryWarnings };
}

/**
 * Replaces the text of the main file, for an editor. The configuration is checked and written as by
 * {@link changeConfiguration}.
 * @param file - absolute path of the main file; created when it is missing
 * @param text - new content
 * @param options - hash that the text is based on, checks and variables
 * @returns the changed configuration
 * @throws ConfigurationError, ConfigurationConflictError, ConfigurationBusyError
 */
export async function writeConfiguration(
  file: string,
  text: string,
  options: ChangeOptions = {},
): Promise<ChangedConfiguration> {
  const { baseHash, checks, checkEntries, environment = process.env } = options;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(missing(file));
  const before = await readConfiguration(file);
  const { entryWarnings } = await withConfigurationLock(target, async () => {
    const hash = await currentHash(file, options);
    if (baseHash !== undefined && baseHash !== hash) {
      throw new ConfigurationConflictError(file, hash);
    }
    const document = await rejecting(() => composeConfiguration(text, file, environment));
    const checked = await checkChange(document, { checks, checkEntries }, [[]], document);
    await replaceFile(target, text);
    return checked;
  });
  const loaded = await applyWritten({ file, target }, [{ source: file, before, text }], options);
  return { ...loaded, entryWarnings };
}

/**
 * Returns the hash of the current configuration, for {@link ChangeOptions}.
 * @param file - absolute path of the main file
 * @param options - variables
 */
export async function currentHash(file: string, options: LoadOptions = {}): Promise<string> {
  const text = await readConfiguration(file);
  if (text === undefined) return hashOfSources([]);
  try {
    return (await composeConfiguration(text, file, options.environment ?? process.env)).hash;
  } catch (error) {
    // A file that does not parse can be replaced, too.
    if (!ConfigurationError.isInstance(error)) throw error;
    return hashOfSources([{ file, text }]);
  }
}

/**
 * Checks changes as {@link changeConfiguration} does, and writes nothing.
 * @param file - absolute path of the main file
 * @param changes - changes in the order in which they are made
 * @param options - checks and variables
 * @returns the configuration as it would be
 * @throws ConfigurationError when the file with the changes would not be valid
 */
export async function checkChanges(
  file: string,
  changes: readonly ConfigurationChange[],
  options: ChangeOptions = {},
): Promise<ChangedConfiguration> {
  return (await plannedChange(file, changes, options)).configuration;
}

/** Returns undefined when an editor saved a file meanwhile, so that nothing was written. */
async function changeOnce(
  { file, target }: { file: string; target: string },
  changes: readonly ConfigurationChange[],
  options: ChangeOptions,
): Promise<
  | {
      readonly replaced: readonly ReplacedText[];
      readonly entryWarnings: ChangedConfiguration["entryWarnings"];
    }
  | undefined
> {
  const { original, written, exists, configuration } = await plannedChange(file, changes, options);
  for (const [source] of written) {
    const now = (await readConfiguration(source)) ?? "";
    if (now !== original.get(source)) return undefined;
  }
  for (const [source, text] of written) {
    await replaceFile(source === file ? target : source, text);
  }
  const replaced = written.map(([source, text]) => ({
    source,
    before: source === file && !exists ? undefined : original.get(source),
    text,
  }));
  return { replaced, entryWarnings: configuration.entryWarnings };
}

/**
 * Returns the checked new content of the files that a change edits, and the earlier content; writes nothing.
 * @param file - absolute path of the main file
 * @param changes - changes in the order in which they are made
 * @param options - hash that the changes are based on, checks and variables
 * @throws ConfigurationError when the file with the changes would not be valid
 * @throws ConfigurationConflictError when the configuration is not the one that the change is based on
 */
export async function plannedChange(
  file: string,
  changes: readonly ConfigurationChange[],
  { baseHash, checks, checkEntries, environment = process.env }: ChangeOptions,
): Promise<{
  original: ReadonlyMap<string, string>;
  written: readonly (readonly [file: string, text: string])[];
  configuration: ChangedConfiguration;
  /** Configuration before the changes. */
  current: ConfigurationDocument;
  exists: boolean;
}> {
  const found = await readConfiguration(file);
  const before = found ?? "";
  const exists = found !== undefined;
  const compose = (texts: ReadonlyMap<string, string>) =>
    composeConfiguration(texts.get(file) || "{}", file, environment, texts);
  const original = new Map([[file, before]]);
  if (before.trim() !== "") await assertEditable(before, file, environment);
  const current = await compose(original);
  const hash = exists ? current.hash : hashOfSources([]);
  if (baseHash !== undefined && baseHash !== hash) throw new ConfigurationConflictError(file, hash);

  for (const { file: source, text } of current.sources.slice(1)) original.set(source, text);
  const texts = new Map(original);
  let document = current;
  for (const change of changes) {
    document = await applyChange(change, document, texts, compose);
  }
  const written = [...texts].filter(([source, text]) => text !== original.get(source));
  const changed = written.length === 0 ? [] : changes.map(([path]) => path);
  const configuration = await checkChange(document, { checks, checkEntries }, changed, current);
  await assertKnownKeys(configuration, changed);
  return { original, written, configuration, current, exists };
}

/** Keys of older hosts, which are warnings in a file, are errors of the change that writes them. */
async function assertKnownKeys(
  { warnings }: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): Promise<void> {
  if (warnings.length === 0) return;
  // The check of the document has loaded it, with the schema compiler.
  const { UNKNOWN_KEY } = await import("../schema-problems.js");
  const written = changed.map((path) => path.join("."));
  const unknown = warnings.filter(
    ({ key, message }) =>
      message === UNKNOWN_KEY && written.some((path) => key === path || key.startsWith(`${path}.`)),
  );
  if (unknown.length > 0) throw new ConfigurationError(unknown, NOTHING_WRITTEN);
}

/**
 * Checks a configuration with a change.
 * @param document - configuration with the change
 * @param changed - keys that the change touches
 * @param before - configuration without the change
 * @throws ConfigurationError when it is not valid
 */
export async function checkChange(
  document: ConfigurationDocument,
  { checks, checkEntries }: Pick<ChangeOptions, "checks" | "checkEntries">,
  changed: readonly (readonly string[])[],
  before: ConfigurationDocument,
): Promise<ChangedConfiguration> {
  return rejecting(async () => {
    const after = await checkedDocument(document, checks);
    const entryWarnings = await checkChangedEntries(checkEntries, {
      after,
      before: () => checkedDocument(before, checks),
      changed,
    });
    return { ...after, entryWarnings };
  });
}

/** Runs the check of a change. Its error does not advise to fix the file, which is as before. */
async function rejecting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    throw new ConfigurationError(error.problems, NOTHING_WRITTEN);
  }
}

/** Checks only that the document is an object: the changes may fix any other error. */
async function assertEditable(
  text: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const document = await composeConfiguration(text, file, environment);
  if (document.root.content.kind !== "object") await checkedDocument(document);
}

function missing<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}
