import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Mutex, sha256 } from "@openclaw/foundation";
import { ConfigurationChangedError, ConfigurationError } from "../errors.js";
import { checkConfiguration } from "./check.js";
import { type LoadedConfiguration, loadConfiguration } from "./configuration.js";
import { parseConfigurationDocument } from "./document.js";
import { editConfiguration } from "./edit.js";

/** Changes of this process, one after another: each is based on the text that the one before wrote. */
const changesInOrder = new Mutex();

/** Path of a value and the value; an undefined value removes the key. */
export type ConfigurationChange = readonly [path: readonly [string, ...string[]], value: unknown];

/**
 * Changes values of a configuration file. The text is edited in place, checked as a whole and written in one
 * step, so that a change that would not load is never written (GW-007).
 * @param file - absolute path; created when it is missing
 * @param changes - changes in the order in which they are made
 * @param baseHash - hash of the text that the changes are based on; any when absent
 * @returns the changed configuration
 * @throws ConfigurationChangedError when the file has another text
 * @throws ConfigurationError when the file with the changes would not be valid
 */
export function changeConfiguration(
  file: string,
  changes: readonly ConfigurationChange[],
  baseHash?: string,
): Promise<LoadedConfiguration> {
  return changesInOrder.run(() => change(file, changes, baseHash));
}

/** Text of a configuration file, and the hash that a change is based on. */
export interface ConfigurationText {
  /** Empty when there is no file. */
  readonly text: string;
  readonly exists: boolean;
  /** SHA-256 of the text, in hex. */
  readonly baseHash: string;
}

/**
 * Reads the text of a configuration file.
 * @param file - absolute path
 */
export async function readConfigurationText(file: string): Promise<ConfigurationText> {
  const found = await readFile(file, "utf8").catch(missing(undefined));
  const text = found ?? "";
  return { text, exists: found !== undefined, baseHash: sha256(text) };
}

async function change(
  file: string,
  changes: readonly ConfigurationChange[],
  baseHash: string | undefined,
): Promise<LoadedConfiguration> {
  // When the path is a link, replace its target and keep the link.
  const target = await realpath(file).catch(missing(file));
  const { text: before, baseHash: present } = await readConfigurationText(target);
  if (baseHash !== undefined && baseHash !== present) {
    throw new ConfigurationChangedError(file, present);
  }
  if (before.trim() !== "") assertEditable(before, file);
  const text = changes.reduce(
    (edited, [path, value]) => editConfiguration(edited, path, value),
    before,
  );
  if (text !== before) {
    check(text, file);
    await replaceFile(target, text);
  }
  return loadConfiguration(file);
}

/** Checks only that the document is an object: the changes may fix any other error. */
function assertEditable(text: string, file: string): void {
  const { value } = parseConfigurationDocument(text, file);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) check(text, file);
}

function check(text: string, file: string): void {
  const { errors } = checkConfiguration(parseConfigurationDocument(text, file));
  if (errors.length > 0) throw new ConfigurationError(errors);
}

function missing<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}

async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
