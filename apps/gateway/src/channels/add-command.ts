import {
  type ConfigurationChange,
  changeConfiguration,
  checkChanges,
  currentHash,
  namesSecret,
} from "@openclaw/gateway/configuration";
import { argumentValue } from "../configuration/argument-value.js";
import { ChangeInGateway, exitCodeOf, printOutcome } from "../configuration/change-outcome.js";
import { operatorEntryCheck } from "../configuration/inspection.js";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import { withSecretMethods } from "../secrets/methods.js";
import { secretValue } from "../secrets/value.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
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
  const { terminal, environment } = context;
  const secrets = new Map<string, string>();
  const changes = settings.map((text): ConfigurationChange => {
    const { key, value } = settingOf(text);
    const path: ConfigurationChange[0] = ["channels", ...place, key];
    // A token in the configuration file would be readable in every copy of it.
    if (typeof value !== "string" || value.startsWith("${") || !namesSecret([key])) {
      return [path, value];
    }
    const name = secretNameOf(channel, account, key);
    secrets.set(name, value);
    return [path, `\${secret:${name}}`];
  });
  if (secret !== undefined) {
    const name = secretNameOf(channel, account, secret);
    secrets.set(name, await secretValue(name, fromEnv, context));
    changes.push([["channels", ...place, secret], `\${secret:${name}}`]);
  }
  // A section without settings has defaults only, and starts the channel.
  if (changes.length === 0) changes.push([["channels", ...place, "enabled"], true]);
  const file = configurationFileOf(environment);
  const options = {
    ...{ checks: EXTENSION_CHECKS, environment },
    checkEntries: operatorEntryCheck(environment),
  };
  // Nothing is stored for a channel that is not added.
  await checkChanges(file, changes, options);
  const stored = [...secrets.keys()];
  if (secrets.size > 0) {
    await withSecretMethods(context, async (call) => {
      for (const [name, value] of secrets) await call("secrets.set", { name, value });
    });
  }
  const inGateway = await ChangeInGateway.of(await currentHash(file, { environment }), environment);
  await changeConfiguration(file, changes, {
    ...options,
    ...inGateway.options,
  });
  const { outcome } = inGateway;
  const keys = changes.map(([path]) => path.join("."));
  if (json) {
    const [first] = stored;
    terminal.print(
      JSON.stringify({ channel, keys, ...(first && { secret: first, secrets: stored }) }),
    );
    return exitCodeOf(outcome);
  }
  for (const name of stored) {
    terminal.print(`Stored the secret ${name}. The configuration refers to it.`);
  }
  terminal.print(`Set ${keys.join(", ")} in ${file}.`);
  printOutcome(outcome, terminal);
  terminal.print(`Check it with \`openclaw channels test ${channel}\` once the gateway runs.`);
  return exitCodeOf(outcome);
}

function settingOf(text: string): { readonly key: string; readonly value: unknown } {
  const [, key = "", written = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!KEY.test(key)) {
    throw new UsageError(`"${text}" is not a setting; write key=value, for example dmPolicy=open`);
  }
  // A token such as 123:abc is text, also where it could be read as another value.
  return { key, value: namesSecret([key]) ? written : argumentValue(written) };
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
