import {
  type ChangeOptions,
  type ConfigurationChange,
  checkChanges,
  incompleteNotice,
} from "@openclaw/configuration";
import {
  type IncompleteChannel,
  type StoredChanges,
  storeLiteralSecrets,
} from "@openclaw/gateway/configuration";
import { configurationFileOf } from "../installation.js";
import { withSecretMethods } from "../secrets/methods.js";
import type { CommandContext } from "../shell/context.js";
import type { Terminal } from "../shell/terminal.js";

/**
 * Checks changes, and stores their literal secrets encrypted, so that the configuration only refers to them. Nothing is
 * stored for a change that would be rejected.
 * @param changes - changes as the operator wrote them
 * @param context - terminal and environment
 * @param always - dotted keys whose values are secrets, whatever their names say
 * @throws ConfigurationError when the changes are not valid, and the errors of the store
 */
export async function storeSecretsOf(
  changes: readonly ConfigurationChange[],
  options: Pick<ChangeOptions, "checks" | "checkEntries" | "environment" | "baseHash">,
  context: CommandContext,
  always: readonly string[] = [],
): Promise<StoredChanges> {
  const file = configurationFileOf(context.environment);
  return storeLiteralSecrets(changes, {
    always,
    check: () => checkChanges(file, changes, options),
    store: (secrets) =>
      withSecretMethods(context, async (call) => {
        for (const [name, value] of secrets) await call("secrets.set", { name, value });
      }),
  });
}

/**
 * Prints which secrets were stored.
 * @param names - names of the secrets
 * @param terminal - terminal of the command
 */
export function printStoredSecrets(names: readonly string[], { print }: Terminal): void {
  for (const name of names) print(`Stored the secret ${name}. The configuration refers to it.`);
}

/**
 * Prints which channels have settings that nothing checked.
 * @param channels - channels without a schema
 * @param terminal - terminal of the command
 */
export function printUnchecked(channels: readonly string[], { print, colors }: Terminal): void {
  for (const channel of channels) {
    print(
      colors.yellow(
        `The settings of channels.${channel} were not checked: its plugin has no schema for them. Check that it works with \`openclaw channels test ${channel}\` once the gateway runs.`,
      ),
    );
  }
}

/**
 * Prints which names in a change nothing has yet.
 * @param warnings - one sentence each
 * @param terminal - terminal of the command
 */
export function printWarnings(warnings: readonly string[], { print, colors }: Terminal): void {
  for (const warning of warnings) print(colors.yellow(`warning: ${warning}`));
}

/**
 * Prints which channels are not started yet.
 * @param incomplete - channels that lack settings
 * @param terminal - terminal of the command
 */
export function printIncomplete(
  incomplete: readonly IncompleteChannel[],
  { print, colors }: Terminal,
): void {
  for (const each of incomplete) print(colors.yellow(`${incompleteNotice(each.channel, each)}.`));
}
