import { copyFile, readFile, rename } from "node:fs/promises";
import {
  ConfigurationError,
  type LoadedConfiguration,
  type LoadOptions,
  unknownKey,
} from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { isMountError } from "@openclaw/foundation/file-replacement";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { type StoredValue, settingsOf, withSettings } from "./layer.js";

/** Name of the file that older hosts kept their first settings in, in the state folder. */
export const BOOTSTRAP_FILE = "bootstrap.json";

/** Suffix of the file after its settings were taken over. */
const TAKEN_OVER = ".taken-over";

/**
 * Takes over the settings of an older bootstrap file into the database, once (HOST-010): keys of this configuration, and
 * the older names `llm_backend` and `selected_model`. A key that the file of the configuration or the database already
 * sets stays as it is; what cannot be taken over is logged. The file is renamed, and kept; one that is mounted alone
 * stays, and is taken over again only when its content differs from the copy that is kept.
 * @param file - path of the bootstrap file, which may not exist
 * @param place - store, configuration of the file, checks, variables and log
 */
export async function takeOverBootstrap(
  file: string,
  {
    store,
    configuration,
    options,
    logger,
  }: { store: Store; configuration: LoadedConfiguration; options: LoadOptions; logger: Logger },
): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const taken = `${file}${TAKEN_OVER}`;
  if ((await readFile(taken, "utf8").catch(() => undefined)) === text) return;
  let given: Record<string, unknown>;
  try {
    given = keysOf(JSON.parse(text));
  } catch (error) {
    logger.warn(
      `${file} is not read: ${errorMessage(error)}. Correct it, or remove it when its settings are not needed.`,
      { code: "BOOTSTRAP_NOT_READ" },
    );
    return;
  }
  const settings: StoredValue[] = [];
  const left: string[] = [];
  const stored = await store.settings.list();
  for (const setting of settingsOf([], given, BOOTSTRAP_FILE)) {
    const key = setting.path.join(".");
    const problem = await problemOf(setting, configuration, options);
    const isSet =
      configuration.locate(setting.path) !== undefined ||
      stored.some(({ path }) => path.join("\0") === setting.path.join("\0"));
    if (isSet) left.push(`${key} (already set)`);
    else if (problem !== undefined) left.push(`${key} (${problem})`);
    else settings.push(setting);
  }
  await store.transaction(async (unit) => {
    for (const setting of settings) await unit.settings.set(setting);
  });
  const isMoved = await rename(file, taken).then(
    () => true,
    async (error: unknown) => {
      if (!isMountError(error)) throw error;
      await copyFile(file, taken);
      return false;
    },
  );
  const keys = settings.map(({ path }) => path.join(".")).join(", ");
  const others = left.length === 0 ? "" : `; not taken over: ${left.join(", ")}`;
  logger.warn(
    `settings of ${file} were taken over into the database: ${keys === "" ? "none" : keys}${others}. ${isMoved ? "The file is now" : "The file is mounted separately and stays; its copy is"} ${BOOTSTRAP_FILE}${TAKEN_OVER}.`,
    { code: "BOOTSTRAP_TAKEN_OVER" },
  );
}

/** Returns the content with the names of this configuration. */
function keysOf(content: unknown): Record<string, unknown> {
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new TypeError("expected an object");
  }
  const {
    llm_backend: backend,
    selected_model: model,
    ...others
  } = Object.fromEntries(Object.entries(content));
  if (typeof backend !== "string" || backend === "") return others;
  const ref = typeof model === "string" && model !== "" ? `${backend}/${model}` : backend;
  const agents = isRecord(others.agents) ? others.agents : {};
  const defaults = isRecord(agents.defaults) ? agents.defaults : {};
  return { ...others, agents: { ...agents, defaults: { model: ref, ...defaults } } };
}

async function problemOf(
  setting: StoredValue,
  configuration: LoadedConfiguration,
  options: LoadOptions,
): Promise<string | undefined> {
  if (unknownKey(setting.path) !== undefined) return "not a key of the configuration";
  try {
    await withSettings(configuration, [setting], options);
    return undefined;
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return error.problems.map(({ message }) => message).join(", ");
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
