import {
  configurationSchema,
  type ExplainedKey,
  explainAll,
  explainKey,
  formatOrigin,
  readableConfiguration,
} from "@openclaw/configuration";
import { loadOperatorConfiguration } from "../configuration.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { pathOfKey } from "./key.js";

/** Options of `config get`. */
export interface GetOptions {
  explain?: boolean;
  reveal?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw config get`: prints a value, or the whole configuration (HOST-012).
 * @param key - dotted key; the whole configuration when absent
 * @param options - origin, secrets and format
 * @param context - terminal and environment
 * @throws UsageError when the key does not exist
 */
export async function getCommand(
  key: string | undefined,
  { explain = false, reveal = false, json = false }: GetOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const path = key === undefined ? undefined : pathOfKey(key);
  const configuration = await loadOperatorConfiguration(environment);
  const options = { environment, reveal };
  if (path === undefined && explain) {
    const keys = explainAll(configuration, options);
    if (json) terminal.print(JSON.stringify(keys));
    for (const { key: set, value, origin } of json ? [] : keys) {
      terminal.print(`${set} = ${textOf(value)}  (${formatOrigin(origin)})`);
    }
    return EXIT.ok;
  }
  if (path === undefined) {
    const value = readableConfiguration(configuration, options);
    const hash = configuration.document?.hash;
    const whole = json ? { file: configuration.file, hash, value } : value;
    terminal.print(JSON.stringify(whole, null, json ? undefined : 2));
    return EXIT.ok;
  }
  const found = explainKey(configuration, path, options);
  if (found === undefined) {
    terminal.note(`openclaw: ${key} is not set and has no default`);
    if (json) terminal.print(JSON.stringify({ key, set: false }));
    return EXIT.notFound;
  }
  if (json) terminal.print(JSON.stringify(explain ? { set: true, ...found } : found.value));
  else if (explain) printExplanation(found, terminal);
  else terminal.print(textOf(found.value));
  return EXIT.ok;
}

function printExplanation(
  { key, value, origin, applies, shadowed }: ExplainedKey,
  { print }: CommandContext["terminal"],
): void {
  const row = (name: string, text: string) => print(`  ${name.padEnd(12)} ${text}`);
  print(`${key} = ${textOf(value)}`);
  row("from", formatOrigin(origin));
  for (const { value: below, origin: place } of shadowed) {
    row("instead of", `${textOf(below)} (${formatOrigin(place)})`);
  }
  row("a change", APPLIES_TEXT[applies]);
}

const APPLIES_TEXT = {
  hot: "is used by a running gateway at once",
  plugin: "reloads the plugin in a running gateway",
  channel: "reconnects the channel of a running gateway",
  listener: "opens the listener of a running gateway again",
  restart: "applies after a restart of the gateway",
};

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Runs `openclaw config schema`: prints the JSON Schema of the file.
 * @param options - format
 */
export async function schemaCommand(
  { json = false }: { json?: boolean },
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  terminal.print(JSON.stringify({ $schema, ...configurationSchema }, null, json ? undefined : 2));
  return EXIT.ok;
}
