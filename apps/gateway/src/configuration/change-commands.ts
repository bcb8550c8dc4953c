import { readFileSync } from "node:fs";
import {
  appliesOf,
  type ConfigurationChange,
  changeConfiguration,
  currentHash,
  formatProblem,
  patchChanges,
  schemaAt,
} from "@openclaw/configuration";
import { defined, errorMessage } from "@openclaw/foundation";
import { parseJson5 } from "@openclaw/foundation/json-document";
import { holdsLiteralSecret, type IncompleteChannel } from "@openclaw/gateway/configuration";
import { EXTENSION_CHECKS, loadOperatorConfiguration } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { argumentValue } from "./argument-value.js";
import { ChangeInGateway, effectOf, exitCodeOf, printOutcome } from "./change-outcome.js";
import {
  operatorEntryCheck,
  operatorIncompleteChannels,
  operatorUncheckedChannels,
} from "./inspection.js";
import { pathOfKey } from "./key.js";
import {
  printIncomplete,
  printStoredSecrets,
  printUnchecked,
  printWarnings,
  storeSecretsOf,
} from "./secret-storage.js";
import { withSettingMethods } from "./setting-methods.js";

/** Options of the commands that change the configuration. */
export interface ChangeCommandOptions {
  baseHash?: string;
  /** True changes the settings of the database instead of the file. */
  db?: boolean;
  /** Agent whose setting it is; the key is then below `agents.<id>`. */
  agent?: string;
  json?: boolean;
}

/**
 * Runs `openclaw config set`.
 * @param key - dotted key
 * @param text - JSON5, or plain text for a key that holds a string
 * @param options - version that the change is based on, and format
 * @param context - terminal and environment
 * @throws UsageError, ConfigurationError, ConfigurationConflictError
 */
export async function setCommand(
  key: string,
  text: string,
  options: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const path = pathOfKey(keyOf(key, options));
  const value = isText(path, text) ? text : argumentValue(text);
  return change([[path, value]], options, context);
}

/** A key that holds a string takes the text as it is, unless it is in quotes, and a token of digits is not a number. */
function isText(path: readonly string[], text: string): boolean {
  const { type } = schemaAt(path) ?? {};
  const holdsText =
    type === "string" || (holdsLiteralSecret(path) && type !== "array" && type !== "object");
  return holdsText && !/^\s*(["']).*\1\s*$/su.test(text);
}

/**
 * Runs `openclaw config unset`.
 * @param key - dotted key
 * @param options - version that the change is based on, and format
 * @param context - terminal and environment
 * @throws UsageError, ConfigurationError, ConfigurationConflictError
 */
export async function unsetCommand(
  key: string,
  options: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return change([[pathOfKey(keyOf(key, options)), undefined]], options, context);
}

/**
 * Runs `openclaw config patch`.
 * @param text - JSON5 object, or `-` for standard input
 * @param options - version that the change is based on, and format
 * @param context - terminal and environment
 * @throws UsageError, ConfigurationError, ConfigurationConflictError
 */
export async function patchCommand(
  text: string,
  options: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const patch = parse(text === "-" ? readFileSync(0, "utf8") : text);
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw new UsageError("a patch is an object, for example '{ gateway: { port: 18790 } }'");
  }
  return change(patchChanges(Object.fromEntries(Object.entries(patch))), options, context);
}

/** Returns the full key of a setting of an agent. */
function keyOf(key: string, { agent }: ChangeCommandOptions): string {
  return agent === undefined ? key : `agents[${JSON.stringify(agent)}].${key}`;
}

async function change(
  changes: readonly ConfigurationChange[],
  options: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return options.db === true
    ? changeInDatabase(changes, options, context)
    : changeInFiles(changes, options, context);
}

async function changeInDatabase(
  written: readonly ConfigurationChange[],
  { baseHash, json = false }: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  if (baseHash !== undefined) {
    throw new UsageError("--base-hash is the version of the file; --db changes the database");
  }
  const options = { checks: EXTENSION_CHECKS, environment };
  const checkEntries = operatorEntryCheck(environment);
  const { changes, secrets } = await storeSecretsOf(written, { ...options, checkEntries }, context);
  const { gateway, isRunning } = await withSettingMethods(
    { environment },
    async (call, isServed) => ({
      isRunning: isServed,
      gateway: await call("settings.set", {
        source: "config set --db",
        changes: changes.map(([path, value]) => ({ path: [...path], ...defined({ value }) })),
      }),
    }),
  );
  const changed = changes.map(([path, value]) => ({
    key: path.join("."),
    removed: value === undefined,
    applies: appliesOf(path),
    database: true,
  }));
  const { problem, failures, warnings = [] } = gateway;
  const loaded = await loadOperatorConfiguration(environment);
  const incomplete = await operatorIncompleteChannels(loaded, changes, environment);
  const unchecked = await operatorUncheckedChannels(loaded, changes, environment);
  if (json) {
    const told = {
      ...{ changed, ...ofSecrets(secrets), ...ofChannels(incomplete, unchecked), failures },
      ...ofWarnings(warnings),
    };
    terminal.print(JSON.stringify({ ...told, ...defined({ problem }) }));
  } else {
    printStoredSecrets(secrets, terminal);
    for (const { key, removed, applies } of changed) {
      const verb = removed ? "Removed" : "Set";
      terminal.print(
        `${verb} ${key} in the database; ${effectOf(key, applies, isRunning ? gateway : undefined)}.`,
      );
    }
    printOutcome({ gateway }, terminal);
    printIncomplete(incomplete, terminal);
    printUnchecked(unchecked, terminal);
    printWarnings(warnings, terminal);
  }
  return exitCodeOf({ gateway });
}

async function changeInFiles(
  written: readonly ConfigurationChange[],
  { baseHash, json = false }: ChangeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const file = configurationFileOf(environment);
  const checkEntries = operatorEntryCheck(environment);
  const options = { baseHash, checks: EXTENSION_CHECKS, checkEntries, environment };
  const { changes, secrets } = await storeSecretsOf(written, options, context);
  const inGateway = await ChangeInGateway.of(await currentHash(file, { environment }), environment);
  const loaded = await changeConfiguration(file, changes, { ...options, ...inGateway.options });
  const { document } = loaded;
  const warnings = loaded.entryWarnings.map(formatProblem);
  const incomplete = await operatorIncompleteChannels(loaded, changes, environment);
  const unchecked = await operatorUncheckedChannels(loaded, changes, environment);
  const changed = changes.map(([path, value]) => ({
    key: path.join("."),
    removed: value === undefined,
    applies: appliesOf(path),
    file: document?.has(path) === true ? document.place(path).file : file,
  }));
  const { outcome } = inGateway;
  if (json) {
    const told = {
      ...{ changed, ...ofSecrets(secrets), ...ofChannels(incomplete, unchecked) },
      ...ofWarnings(warnings),
    };
    terminal.print(JSON.stringify({ ...told, hash: document?.hash, ...outcome }));
    return exitCodeOf(outcome);
  }
  printStoredSecrets(secrets, terminal);
  for (const { key, removed, applies, file: owner } of changed) {
    const effect = effectOf(key, applies, outcome?.gateway);
    terminal.print(`${removed ? "Removed" : "Set"} ${key} in ${owner}; ${effect}.`);
  }
  if (changed.length === 0) terminal.print("Nothing to change.");
  printOutcome(outcome, terminal);
  printIncomplete(incomplete, terminal);
  printUnchecked(unchecked, terminal);
  printWarnings(warnings, terminal);
  return exitCodeOf(outcome);
}

function ofSecrets(secrets: readonly string[]) {
  return secrets.length === 0 ? {} : { secrets };
}

function ofWarnings(warnings: readonly string[]) {
  return warnings.length === 0 ? {} : { warnings };
}

function ofChannels(incomplete: readonly IncompleteChannel[], unchecked: readonly string[]) {
  const shown = incomplete.map(({ channel, accountId, lacks }) => ({ channel, accountId, lacks }));
  return {
    ...(shown.length > 0 && { incomplete: shown }),
    ...(unchecked.length > 0 && { unchecked }),
  };
}

function parse(text: string): unknown {
  try {
    return parseJson5(text).value;
  } catch (error) {
    const advice = "write an object such as '{ gateway: { port: 18790 } }', or pipe a file";
    throw new UsageError(
      `the patch is not JSON5 (${errorMessage(error)}); ${advice}: \`config patch - < patch.json5\``,
      { cause: error },
    );
  }
}
