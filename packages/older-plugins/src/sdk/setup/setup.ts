import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
import { isRecord } from "../string-coerce-runtime.js";

export {
  createAllowFromSection,
  createPromptParsedAllowFromForAccount,
  createSetupInputPresenceValidator,
  createStandardChannelSetupStatus,
  promptParsedAllowFromForAccount,
} from "../../access/setup-wizard.js";
export { mergeAllowlist } from "../access/allow-from.js";
export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
export {
  applyAccountNameToChannelSection,
  migrateBaseNameToDefaultAccount,
} from "../channel-core.js";

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns the function that translates the labels of a setup. This host shows no setup of plugins; a label is its key.
 * @param options - part before each key
 * @deprecated `openclaw channels add` asks for the settings of a channel.
 */
export function createSetupTranslator(options: { readonly keyPrefix?: string } = {}) {
  const { keyPrefix } = options;
  return (key: string): string => (keyPrefix === undefined ? key : `${keyPrefix}.${key}`);
}

/**
 * Returns a configuration with changed settings of a channel.
 * @param change - configuration, channel, settings to remove and to write
 * @deprecated `openclaw channels add` writes the settings of a channel.
 */
export function patchTopLevelChannelConfigSection(change: {
  readonly cfg: Config;
  readonly channel: string;
  readonly enabled?: boolean;
  readonly clearFields?: readonly string[];
  readonly patch: Config;
}): Config {
  const { cfg, channel, enabled, clearFields = [], patch } = change;
  const channels = isRecord(cfg.channels) ? cfg.channels : {};
  const section = isRecord(channels[channel]) ? channels[channel] : {};
  const kept = Object.entries(section).filter(([key]) => !clearFields.includes(key));
  const changed = {
    ...Object.fromEntries(kept),
    ...(enabled === true && { enabled: true }),
    ...patch,
  };
  return { ...cfg, channels: { ...channels, [channel]: changed } };
}

/**
 * Returns the address of a page of the documentation of older hosts.
 * @param path - path of the page
 * @param label - used without a path
 * @deprecated Link the documentation of the plugin.
 */
export function formatDocsLink(path: string | null | undefined, label?: string): string {
  const given = path?.trim() ?? "";
  if (given === "") return label ?? "https://docs.openclaw.ai";
  return /^https?:/.test(given) ? given : `https://docs.openclaw.ai/${given.replace(/^\//, "")}`;
}

/**
 * Divides entries that a user typed with commas, semicolons or line breaks.
 * @param raw - entries
 * @deprecated Divide the text in the plugin.
 */
export function splitSetupEntries(raw: string): string[] {
  return raw
    .split(/[\n,;]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/**
 * Adds entries to an access list, without repeats.
 * @param current - entries
 * @param additions - entries to add
 * @deprecated Write `allowFrom` with `openclaw config set`.
 */
export function mergeAllowFromEntries(
  current: readonly (string | number)[] | null | undefined,
  additions: readonly (string | number)[],
): string[] {
  const all = [...(current ?? []), ...additions].map((entry) => String(entry).trim());
  return [...new Set(all.filter((entry) => entry !== ""))];
}

/**
 * Returns the account of a setup.
 * @param choice - account that was named, and the one without a name
 * @deprecated Use `openclaw channels add --account`.
 */
export function resolveSetupAccountId(choice: {
  readonly accountId?: string | null;
  readonly defaultAccountId: string;
}): string {
  const named = choice.accountId?.trim() ?? "";
  return named === "" ? choice.defaultAccountId : normalizeAccountId(named);
}

/**
 * Switches a channel on or off in a configuration.
 * @param enabled - new value
 * @returns a changed copy
 * @deprecated Write `channels.<channel>.enabled` with `openclaw config set`.
 */
export function setSetupChannelEnabled(cfg: Config, channel: string, enabled: boolean): Config {
  return withSection(cfg, channel, { ...sectionOf(cfg, channel), enabled });
}

/**
 * Changes the settings of an account in a configuration: at the top level of the section for the default account, else
 * under `accounts`.
 * @param edit - configuration, channel, account and settings
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function patchScopedAccountConfig(edit: {
  readonly cfg: Config;
  readonly channelKey: string;
  readonly accountId: string;
  readonly patch: Config;
  readonly accountPatch?: Config;
  readonly clearFields?: readonly string[];
  readonly ensureChannelEnabled?: boolean;
  readonly ensureAccountEnabled?: boolean;
  readonly scopeDefaultToAccounts?: boolean;
}): Config {
  const { cfg, channelKey, patch, clearFields = [], accountPatch = patch } = edit;
  const { ensureChannelEnabled = true, ensureAccountEnabled = ensureChannelEnabled } = edit;
  const accountId = normalizeAccountId(edit.accountId);
  const section = sectionOf(cfg, channelKey);
  const switched = ensureChannelEnabled ? { enabled: true } : {};
  if (accountId === DEFAULT_ACCOUNT_ID && edit.scopeDefaultToAccounts !== true) {
    return withSection(cfg, channelKey, {
      ...without(section, clearFields),
      ...switched,
      ...patch,
    });
  }
  const accounts = isRecord(section.accounts) ? section.accounts : {};
  const own = Object.hasOwn(accounts, accountId) ? accounts[accountId] : undefined;
  const account = {
    ...without(isRecord(own) ? own : {}, clearFields),
    ...(ensureAccountEnabled ? { enabled: true } : {}),
    ...accountPatch,
  };
  const next = { ...section, ...switched, accounts: { ...accounts, [accountId]: account } };
  return withSection(cfg, channelKey, next);
}

/**
 * Changes the settings of an account, like {@link patchScopedAccountConfig}, and enables it.
 * @param edit - configuration, channel, account and settings
 * @returns a changed copy
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function applySetupAccountConfigPatch(edit: {
  readonly cfg: Config;
  readonly channelKey: string;
  readonly accountId: string;
  readonly patch: Config;
}): Config {
  return patchScopedAccountConfig(edit);
}

/**
 * Creates the function that sets the policy for direct messages of a channel.
 * @param options - channel, and its access list
 * @deprecated Write `channels.<channel>.dmPolicy` with `openclaw config set`.
 */
export function createTopLevelChannelDmPolicySetter(options: {
  readonly channel: string;
  readonly getAllowFrom?: (cfg: Config) => readonly (string | number)[] | undefined;
}): (cfg: Config, dmPolicy: string) => Config {
  const { channel, getAllowFrom } = options;
  return (cfg, dmPolicy) => {
    const section = sectionOf(cfg, channel);
    const current = getAllowFrom?.(cfg) ?? listOf(section.allowFrom);
    const allowFrom =
      dmPolicy === "open" ? { allowFrom: mergeAllowFromEntries(current, ["*"]) } : {};
    return withSection(cfg, channel, { ...section, dmPolicy, ...allowFrom });
  };
}

/**
 * Creates the function that sets the access list of a channel.
 * @deprecated Write `channels.<channel>.allowFrom` with `openclaw config set`.
 */
export function createTopLevelChannelAllowFromSetter(options: {
  readonly channel: string;
  readonly enabled?: boolean;
}): (cfg: Config, allowFrom: readonly string[]) => Config {
  const { channel, enabled = false } = options;
  return (cfg, allowFrom) =>
    withSection(cfg, channel, {
      ...sectionOf(cfg, channel),
      ...(enabled ? { enabled: true } : {}),
      allowFrom: [...allowFrom],
    });
}

function sectionOf({ channels }: Config, key: string): Record<string, unknown> {
  const section = isRecord(channels) && Object.hasOwn(channels, key) ? channels[key] : undefined;
  return isRecord(section) ? section : {};
}

function withSection(cfg: Config, key: string, section: object): Config {
  return { ...cfg, channels: { ...(isRecord(cfg.channels) ? cfg.channels : {}), [key]: section } };
}

function without(section: Config, fields: readonly string[]): Config {
  return Object.fromEntries(Object.entries(section).filter(([field]) => !fields.includes(field)));
}

function listOf(value: unknown): readonly (string | number)[] {
  return Array.isArray(value) ? value.map(String) : [];
}
