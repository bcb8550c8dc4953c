import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";
import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";

import { isRecord } from "./string-coerce-runtime.js";

export { tryReadSecretFileSync } from "./accounts/secret-file-runtime.js";
export {
  buildChannelConfigSchema,
  emptyChannelConfigSchema,
} from "./channel-config-schema.js";

/** @deprecated Use `Channel`, or `AdapterChannel` for a channel made of adapters. */
export type ChannelPlugin = AdapterChannel;

type Config = Readonly<Record<string, unknown>>;

/** Adapter of a channel; this host stores adapters but does not call them yet. */
type Adapter = Readonly<Record<string, unknown>>;

/**
 * Creates the module that older hosts loaded during channel setup.
 * @param plugin - channel plugin
 * @deprecated This host loads only the plugin's entry point.
 */
export function defineSetupPluginEntry<Plugin>(plugin: Plugin): { plugin: Plugin } {
  return { plugin };
}

/**
 * Creates a channel from the parts that every channel has.
 * @param parts - at least the ID
 * @deprecated Implement `Channel` of "openclaw/plugin-sdk/channel-core".
 */
export function createChannelPluginBase<Parts extends { readonly id: string; meta?: object }>(
  parts: Parts,
): Parts & { meta: object } {
  return { ...parts, meta: { id: parts.id, ...parts.meta } };
}

/**
 * Creates a chat channel from a base and its adapters.
 * @param parts - `base`, and the adapters by name
 * @deprecated Implement `Channel` of "openclaw/plugin-sdk/channel-core".
 */
export function createChatChannelPlugin<Base extends AdapterChannel>(parts: {
  readonly base: Base;
  readonly security?: Adapter;
  readonly pairing?: Adapter;
  readonly threading?: Adapter;
  readonly outbound?: Adapter;
}): Base & Adapter {
  const { base, pairing, outbound, ...adapters } = parts;
  return {
    ...base,
    ...adapters,
    ...(pairing === undefined ? {} : { pairing: pairingAdapter(pairing) }),
    ...(outbound === undefined ? {} : { outbound: outboundAdapter(outbound) }),
  };
}

/** Expands `text`, the short form of a pairing adapter, into a full one. */
function pairingAdapter(pairing: Adapter): Adapter {
  const { text } = pairing;
  if (!isRecord(text) || typeof text.notify !== "function") return pairing;
  const { idLabel, message, normalizeAllowEntry, notify } = text;
  return {
    idLabel,
    normalizeAllowEntry,
    notifyApproval: async (context: object) => notify({ ...context, message }),
  };
}

/** Adds the channel name to the results of the `attachedResults` senders. */
function outboundAdapter(outbound: Adapter): Adapter {
  const { base, attachedResults } = outbound;
  if (!isRecord(attachedResults)) return outbound;
  const { channel, ...senders } = attachedResults;
  const named = Object.entries(senders).map(([name, send]) => [
    name,
    typeof send === "function"
      ? async (context: unknown) => ({ channel, ...(await send(context)) })
      : send,
  ]);
  return { ...(isRecord(base) ? base : {}), ...Object.fromEntries(named) };
}

/**
 * Removes the channel prefix from a target such as `telegram:42`.
 * @param target - target as the user typed it
 * @param channels - names of the channels whose prefixes to remove
 * @deprecated Remove the prefix in the channel.
 */
export function stripChannelTargetPrefix(target: string, ...channels: string[]): string {
  const text = target.trim();
  const prefix = channels
    .map((channel) => `${channel.toLowerCase()}:`)
    .find((name) => text.toLowerCase().startsWith(name));
  return prefix === undefined ? text : text.slice(prefix.length).trim();
}

/**
 * Removes the kind prefix from a target such as `user:42`.
 * @param target - target as the user typed it
 * @deprecated Remove the prefix in the channel.
 */
export function stripTargetKindPrefix(target: string): string {
  return target.replace(/^(?:user|channel|group|conversation|room|dm):/i, "").trim();
}

/**
 * Splits a list that a user typed with commas, semicolons or line breaks.
 * @param text - list to split
 * @returns the entries; undefined when there are none
 * @deprecated Split the text yourself.
 */
export function parseOptionalDelimitedEntries(text?: string): string[] | undefined {
  const parts = (text ?? "")
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts;
}

/** @deprecated Write the message in the channel. */
export const PAIRING_APPROVED_MESSAGE = "You are approved. Send a message to begin.";

/**
 * Returns the instruction for an operator to approve a sender.
 * @deprecated Write the message in the channel.
 */
export function formatPairingApproveHint(channelId: string): string {
  return `add the sender to channels.${channelId}.allowFrom in openclaw.json`;
}

/**
 * Enables or disables an account of a channel in a configuration.
 * @param edit - configuration, key of the channel, account and change
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function setAccountEnabledInConfigSection(edit: {
  readonly cfg: Config;
  readonly sectionKey: string;
  readonly accountId: string;
  readonly enabled: boolean;
  /** True writes the default account's switch at the top level of the section. */
  readonly allowTopLevel?: boolean;
}): Config {
  const { cfg, sectionKey, enabled } = edit;
  const accountId = normalizeAccountId(edit.accountId);
  const section = sectionOf(cfg, sectionKey);
  const accounts = accountsOf(section);
  const atTop = edit.allowTopLevel === true && accountId === DEFAULT_ACCOUNT_ID;
  if (atTop && Object.keys(accounts).length === 0) {
    return withSection(cfg, sectionKey, { ...section, enabled });
  }
  return withAccount(cfg, sectionKey, accountId, { enabled });
}

/**
 * Removes an account of a channel from a configuration.
 * @param edit - configuration, key of the channel, account, and fields of the default account
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function deleteAccountFromConfigSection(edit: {
  readonly cfg: Config;
  readonly sectionKey: string;
  readonly accountId: string;
  /** Fields at the top level of the section that belong to the default account. */
  readonly clearBaseFields?: readonly string[];
}): Config {
  const { cfg, sectionKey, clearBaseFields = [] } = edit;
  const accountId = normalizeAccountId(edit.accountId);
  const { [accountId]: _removed, ...accounts } = accountsOf(sectionOf(cfg, sectionKey));
  const section: Record<string, unknown> = { ...sectionOf(cfg, sectionKey), accounts };
  if (Object.keys(accounts).length === 0) delete section.accounts;
  if (accountId === DEFAULT_ACCOUNT_ID) for (const field of clearBaseFields) delete section[field];
  return withSection(cfg, sectionKey, section);
}

/**
 * Sets the name of a channel account in a configuration.
 * @param edit - configuration, key of the channel, account and name
 * @returns a changed copy; the same object when the name is empty
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function applyAccountNameToChannelSection(edit: {
  readonly cfg: Config;
  readonly channelKey: string;
  readonly accountId: string;
  readonly name?: string;
  /** True also writes the default account's name under `accounts`. */
  readonly alwaysUseAccounts?: boolean;
}): Config {
  const { cfg, channelKey, alwaysUseAccounts = false } = edit;
  const name = edit.name?.trim() ?? "";
  const accountId = normalizeAccountId(edit.accountId);
  if (name === "") return cfg;
  const section = sectionOf(cfg, channelKey);
  const hasAccounts = Object.keys(accountsOf(section)).length > 0;
  if (accountId === DEFAULT_ACCOUNT_ID && !alwaysUseAccounts && !hasAccounts) {
    return withSection(cfg, channelKey, { ...section, name });
  }
  return withAccount(cfg, channelKey, accountId, { name });
}

/**
 * Moves the name at the top level of a channel's section to its default account.
 * @param edit - configuration and key of the channel
 * @returns a changed copy; the same object when there is no name to move
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function migrateBaseNameToDefaultAccount(edit: {
  readonly cfg: Config;
  readonly channelKey: string;
}): Config {
  const { cfg, channelKey } = edit;
  const { name, ...section } = sectionOf(cfg, channelKey);
  if (typeof name !== "string" || name.trim() === "") return cfg;
  const account = accountsOf(section)[DEFAULT_ACCOUNT_ID];
  const kept = isRecord(account) && typeof account.name === "string" ? account.name : name;
  const moved = withSection(cfg, channelKey, section);
  return withAccount(moved, channelKey, DEFAULT_ACCOUNT_ID, { name: kept });
}

function sectionOf({ channels }: Config, key: string): Record<string, unknown> {
  const section = isRecord(channels) && Object.hasOwn(channels, key) ? channels[key] : undefined;
  return isRecord(section) ? section : {};
}

function accountsOf({ accounts }: Config): Record<string, unknown> {
  return isRecord(accounts) ? accounts : {};
}

function withSection(cfg: Config, key: string, section: object): Config {
  return { ...cfg, channels: { ...(isRecord(cfg.channels) ? cfg.channels : {}), [key]: section } };
}

function withAccount(cfg: Config, key: string, accountId: string, fields: object): Config {
  const section = sectionOf(cfg, key);
  const accounts = accountsOf(section);
  const before = Object.hasOwn(accounts, accountId) ? accounts[accountId] : undefined;
  const account = { ...(isRecord(before) ? before : {}), ...fields };
  return withSection(cfg, key, { ...section, accounts: { ...accounts, [accountId]: account } });
}
