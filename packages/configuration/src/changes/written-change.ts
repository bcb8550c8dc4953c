import { rm } from "node:fs/promises";
import {
  type LoadedConfiguration,
  type LoadOptions,
  loadConfiguration,
  readConfiguration,
} from "../configuration.js";
import { ConfigurationRejectedError } from "../errors.js";
import { withConfigurationLock } from "./lock.js";
import { replaceFile } from "./replacement.js";

/** File that a change replaced. */
export interface ReplacedText {
  /** Path of the file as the configuration names it. */
  readonly source: string;
  /** Earlier content; undefined for a new file. */
  readonly before: string | undefined;
  readonly text: string;
}

/** Main file of a configuration. */
interface MainFile {
  readonly file: string;
  /** The file that the path leads to. */
  readonly target: string;
}

/**
 * Loads a configuration that was just written and puts it in force. When a running gateway rejects it, the files get
 * their earlier content, so that the gateway and the files agree (GW-661).
 * @param replaced - files that were written; nothing is put in force without one
 * @param options - checks and variables, and `apply` to put it in force
 * @throws ConfigurationRejectedError; the files are then as before
 */
export async function applyWritten(
  main: MainFile,
  replaced: readonly ReplacedText[],
  options: LoadOptions & {
    readonly apply?: ((configuration: LoadedConfiguration) => Promise<void>) | undefined;
  },
): Promise<LoadedConfiguration> {
  const loaded = await loadConfiguration(main.file, options);
  if (replaced.length === 0) return loaded;
  try {
    await options.apply?.(loaded);
    return loaded;
  } catch (error) {
    if (!ConfigurationRejectedError.isInstance(error)) throw error;
    await withConfigurationLock(main.target, () => putBack(main, replaced));
    await applyAgain(options.apply, await loadConfiguration(main.file, options));
    throw error;
  }
}

/** Puts the earlier contents back; a file that was changed meanwhile stays as it is. */
async function putBack(
  { file, target }: MainFile,
  replaced: readonly ReplacedText[],
): Promise<void> {
  for (const { source, before, text } of replaced) {
    if ((await readConfiguration(source)) !== text) continue;
    const path = source === file ? target : source;
    if (before === undefined) await rm(path);
    else await replaceFile(path, before);
  }
}

/** The first rejection is the one to report. */
async function applyAgain(
  apply: ((configuration: LoadedConfiguration) => Promise<void>) | undefined,
  configuration: LoadedConfiguration,
): Promise<void> {
  try {
    await apply?.(configuration);
  } catch (error) {
    if (!ConfigurationRejectedError.isInstance(error)) throw error;
  }
}
