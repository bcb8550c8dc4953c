import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";
import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";
import { isRecord } from "./string-coerce-runtime.js";

/** @deprecated Use `Channel`, or `AdapterChannel` for one made of adapters. */
export type ChannelPlugin = AdapterChannel;

type Config = Readonly<Record<string, unknown>>;

/** An adapter of a channel; this host keeps adapters and calls none of them yet. */
type Adapter = Readonly<Record<string, unknown>>;

/**
 * Makes the module that older hosts loaded while a channel was set up.
 * @param plugin - the channel
 * @deprecated This host loads the plugin's entry only.
 */
export function defineSetupPluginEntry<Plugin>(plugin: Plugin): { plugin: Plugin } {
  return { plugin };
}

/**
 * Makes a channel of the parts that every channel has.
 * @param parts - at least the id
 * @deprecated Implement `Channel` of "openclaw/plugin-sdk/channel-core".
 */
export function createChannelPluginBase<Parts extends { readonly id: string; meta?: object }>(
  parts: Parts,
): Parts & { meta: object } {
  return { ...parts, meta: { id: parts.id, ...parts.meta } };
}

/**
 * Makes a channel for chats of a base and its adapters.
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

/** `text` says in short what a pairing adapter says at length. */
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

/** `attachedResults` are senders whose results lack the name of the channel. */
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
 * Takes the name of a channel off the front of a target, as in `telegram:42`.
 * @param target - as somebody typed it
 * @param channels - whose names to take off
 * @deprecated Do it in the channel.
 */
export function stripChannelTargetPrefix(target: string, ...channels: string[]): string {
  const text = target.trim();
  const prefix = channels
    .map((channel) => `${channel.toLowerCase()}:`)
    .find((name) => text.toLowerCase().startsWith(name));
  return prefix === undefined ? text : text.slice(prefix.length).trim();
}

/**
 * Takes the kind of a target off its front, as in `user:42`.
 * @param target - as somebody typed it
 * @deprecated Do it in the channel.
 */
export function stripTargetKindPrefix(target: string): string {
  return target.replace(/^(?:user|channel|group|conversation|room|dm):/i, "").trim();
}

/**
 * The parts of a list that somebody typed with commas, semicolons or line breaks.
 * @param text - undefined when there is no part
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
export const PAIRING_APPROVED_MESSAGE = "You have been let in. Send a message to begin.";

/**
 * Tells an operator how to let somebody in.
 * @param channelId - the channel
 * @deprecated Write the message in the channel.
 */
export function formatPairingApproveHint(channelId: string): string {
  return `add the sender to channels.${channelId}.allowFrom in openclaw.json`;
}

/**
 * Turns an account of a channel on or off in a configuration.
 * @param edit - the configuration, the channel's key, the account, and what to do
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function setAccountEnabledInConfigSection(edit: {
  readonly cfg: Config;
  readonly sectionKey: string;
  readonly accountId: string;
  readonly enabled: boolean;
  /** True writes the default account's switch at the top of the section. */
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
 * Takes an account of a channel out of a configuration.
 * @param edit - the configuration, the channel's key, the account, and fields of the default account
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function deleteAccountFromConfigSection(edit: {
  readonly cfg: Config;
  readonly sectionKey: string;
  readonly accountId: string;
  /** Fields at the top of the section that belong to the default account. */
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
 * Names an account of a channel in a configuration.
 * @param edit - the configuration, the channel's key, the account and its name
 * @returns a changed copy; the same when the name is empty
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function applyAccountNameToChannelSection(edit: {
  readonly cfg: Config;
  readonly channelKey: string;
  readonly accountId: string;
  readonly name?: string;
  /** True writes the default account's name below `accounts` too. */
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
 * Moves the name at the top of a channel's section to its default account.
 * @param edit - the configuration and the channel's key
 * @returns a changed copy; the same when there is no such name
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
