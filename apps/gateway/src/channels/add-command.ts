import {
  type ConfigurationChange,
  ConfigurationError,
  changeConfiguration,
  checkChanges,
  currentHash,
  type LoadedConfiguration,
  NOTHING_WRITTEN,
  namesSecret,
} from "@openclaw/configuration";
import type { IncompleteChannel } from "@openclaw/gateway/configuration";
import { argumentValue } from "../configuration/argument-value.js";
import { ChangeInGateway, exitCodeOf, printOutcome } from "../configuration/change-outcome.js";
import {
  operatorEntryCheck,
  operatorIncompleteChannels,
  operatorUncheckedChannels,
} from "../configuration/inspection.js";
import {
  printIncomplete,
  printStoredSecrets,
  printUnchecked,
  storeSecretsOf,
} from "../configuration/secret-storage.js";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
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
  const written = settings.map((text): ConfigurationChange => {
    const { key, value } = settingOf(text);
    return [["channels", ...place, key], value];
  });
  if (secret !== undefined) {
    if (!KEY.test(secret)) throw new UsageError(`"${secret}" is not the name of a setting`);
    const value = await secretValue(`${place.join(".")}.${secret}`, fromEnv, context);
    written.push([["channels", ...place, secret], value]);
  }
  // A section without settings has defaults only, and starts the channel.
  if (written.length === 0) written.push([["channels", ...place, "enabled"], true]);
  const file = configurationFileOf(environment);
  const options = {
    ...{ checks: EXTENSION_CHECKS, environment },
    checkEntries: operatorEntryCheck(environment),
  };
  // Nothing is stored for a channel that is not added.
  const planned = await checkChanges(file, written, options);
  assertBegun(channel, await operatorIncompleteChannels(planned, written, environment), planned);
  const always = secret === undefined ? [] : [["channels", ...place, secret].join(".")];
  const { changes, secrets } = await storeSecretsOf(written, options, context, always);
  const inGateway = await ChangeInGateway.of(await currentHash(file, { environment }), environment);
  const loaded = await changeConfiguration(file, changes, { ...options, ...inGateway.options });
  const incomplete = await operatorIncompleteChannels(loaded, changes, environment);
  const unchecked = await operatorUncheckedChannels(loaded, changes, environment);
  const { outcome } = inGateway;
  const keys = changes.map(([path]) => path.join("."));
  if (json) {
    const [first] = secrets;
    const lacks = incomplete.map(({ accountId, lacks }) => ({ accountId, lacks }));
    terminal.print(
      JSON.stringify({
        ...{ channel, keys },
        ...(first && { secret: first, secrets }),
        ...(lacks.length > 0 && { incomplete: lacks }),
        ...(unchecked.length > 0 && { unchecked }),
      }),
    );
    return exitCodeOf(outcome);
  }
  printStoredSecrets(secrets, terminal);
  terminal.print(`Set ${keys.join(", ")} in ${file}.`);
  printOutcome(outcome, terminal);
  printIncomplete(incomplete, terminal);
  printUnchecked(unchecked, terminal);
  if (unchecked.length + incomplete.length === 0)
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

/** A channel of which nothing that it requires is given was most likely added by mistake. */
function assertBegun(
  channel: string,
  incomplete: readonly IncompleteChannel[],
  { file = "" }: LoadedConfiguration,
): void {
  const problems = incomplete
    .filter(({ isBegun }) => !isBegun)
    .map(({ lacks: [first = "", ...others] }) => ({
      key: `channels.${channel}`,
      message: `lacks ${[first, ...others].join(", ")}`,
      suggestion: `give it with \`openclaw channels add ${channel} --secret ${first}\``,
      ...{ file, line: 1, column: 1 },
    }));
  if (problems.length > 0) throw new ConfigurationError(problems, NOTHING_WRITTEN);
}
