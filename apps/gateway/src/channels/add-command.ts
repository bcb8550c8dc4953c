import { type ConfigurationChange, changeConfiguration } from "@openclaw/gateway/configuration";
import { argumentValue } from "../configuration/argument-value.js";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import { withSecretMethods } from "../secrets/methods.js";
import { secretValue } from "../secrets/value.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";

const NAME = /^[a-z][a-z0-9._-]{0,63}$/;
const KEY = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Options of `openclaw channels add`. */
export interface AddChannelOptions {
  readonly account?: string;
  readonly secret?: string;
  readonly fromEnv?: string;
  readonly json?: boolean;
}

/**
 * Runs `openclaw channels add`: stores the token of a channel as a secret, and writes its section of the
 * configuration, which a running gateway applies at once.
 * @param channel - name of the channel
 * @param settings - further settings as `key=value`
 * @param options - account, setting that holds a token, and format
 * @param context - terminal and environment
 * @throws UsageError, SecretInvalidError, SecretKeyError, ConfigurationError
 */
export async function addChannelCommand(
  channel: string,
  settings: readonly string[],
  { account, secret, fromEnv, json = false }: AddChannelOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (!NAME.test(channel)) {
    throw new UsageError(`"${channel}" is not the name of a channel; write for example telegram`);
  }
  const place = account === undefined ? [channel] : [channel, "accounts", account];
  const changes = settings.map((text) => changeOf(text, place));
  const { terminal, environment } = context;
  const stored = secret === undefined ? undefined : secretNameOf(channel, account, secret);
  if (secret !== undefined && stored !== undefined) {
    const value = await secretValue(stored, fromEnv, context);
    await withSecretMethods(context, (call) => call("secrets.set", { name: stored, value }));
    changes.push([["channels", ...place, secret], `\${secret:${stored}}`]);
  }
  // A section without settings has defaults only, and starts the channel.
  if (changes.length === 0) changes.push([["channels", ...place, "enabled"], true]);
  const file = configurationFileOf(environment);
  await changeConfiguration(file, changes, { checks: EXTENSION_CHECKS, environment });
  const keys = changes.map(([path]) => path.join("."));
  if (json) {
    terminal.print(JSON.stringify({ channel, keys, ...(stored && { secret: stored }) }));
    return EXIT.ok;
  }
  if (stored !== undefined) terminal.print(`Stored the secret ${stored}.`);
  terminal.print(`Set ${keys.join(", ")} in ${file}.`);
  terminal.print(`Check it with \`openclaw channels test ${channel}\` once the gateway runs.`);
  return EXIT.ok;
}

function changeOf(text: string, place: readonly string[]): ConfigurationChange {
  const [, key = "", written = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!KEY.test(key)) {
    throw new UsageError(`"${text}" is not a setting; write key=value, for example dmPolicy=open`);
  }
  return [["channels", ...place, key], argumentValue(written)];
}

function secretNameOf(channel: string, account: string | undefined, key: string): string {
  if (!KEY.test(key)) throw new UsageError(`"${key}" is not the name of a setting`);
  const words = [channel, ...(account === undefined ? [] : [account]), key];
  return words
    .join("_")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}
