import {
  type ChangeOptions,
  type ConfigurationChange,
  checkChanges,
  type IncompleteChannel,
  incompleteNotice,
  secretReferences,
} from "@openclaw/gateway/configuration";
import { configurationFileOf } from "../installation.js";
import { withoutLiteralSecrets } from "../secrets/literal-secrets.js";
import { withSecretMethods } from "../secrets/methods.js";
import type { CommandContext } from "../shell/context.js";
import type { Terminal } from "../shell/terminal.js";

/** Changes that refer to their secrets, which are stored. */
export interface StoredChanges {
  readonly changes: readonly ConfigurationChange[];
  /** Names of the secrets. */
  readonly secrets: readonly string[];
}

/**
 * Checks changes, and stores their literal secrets encrypted, so that the configuration only refers to them. Nothing is
 * stored for a change that would be rejected.
 * @param changes - changes as the operator wrote them
 * @param options - checks of the change
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
  if (withoutLiteralSecrets(changes, { always }).secrets.size === 0)
    return { changes, secrets: [] };
  const file = configurationFileOf(context.environment);
  const { document } = await checkChanges(file, changes, options);
  const { changes: kept, secrets } = withoutLiteralSecrets(changes, {
    always,
    used: secretReferences(document),
  });
  await withSecretMethods(context, async (call) => {
    for (const [name, value] of secrets) await call("secrets.set", { name, value });
  });
  return { changes: kept, secrets: [...secrets.keys()] };
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
