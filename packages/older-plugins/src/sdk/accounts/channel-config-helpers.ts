import { defined } from "@openclaw/foundation";
import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
import {
  deleteAccountFromConfigSection,
  setAccountEnabledInConfigSection,
} from "../channel-core.js";
import { isRecord } from "../string-coerce-runtime.js";

type Config = Readonly<Record<string, unknown>>;
type Entries = readonly (string | number)[];

/**
 * Returns a function with the parameters configuration and account for one with an object.
 * @param accessor - function with an object
 * @deprecated A `Channel` receives the settings of its account.
 */
export function adaptScopedAccountAccessor<Result>(
  accessor: (place: { readonly cfg: Config; readonly accountId?: string | null }) => Result,
): (cfg: Config, accountId?: string | null) => Result {
  return (cfg, accountId) => accessor(accountId === undefined ? { cfg } : { cfg, accountId });
}

/** Settings of {@link createScopedChannelConfigAdapter}. */
export interface ChannelConfigAdapterOptions<Account> {
  /** Key below `channels`. */
  readonly sectionKey: string;
  readonly listAccountIds: (cfg: Config) => string[];
  readonly resolveAccount: (cfg: Config, accountId?: string | null) => Account;
  /** Reads the account for the accessors below, where that differs. */
  readonly resolveAccessorAccount?: (place: {
    readonly cfg: Config;
    readonly accountId?: string | null;
  }) => Account;
  readonly inspectAccount?: (cfg: Config, accountId?: string | null) => unknown;
  readonly defaultAccountId: (cfg: Config) => string;
  /** Settings of the default account at the top level of the section. */
  readonly clearBaseFields: readonly string[];
  readonly allowTopLevel?: boolean;
  readonly resolveAllowFrom: (account: Account) => Entries | null | undefined;
  readonly formatAllowFrom: (entries: Entries) => string[];
  readonly resolveDefaultTo?: (account: Account) => string | number | null | undefined;
}

/**
 * Creates the `config` adapter of a channel with several accounts.
 * @param options - section, and functions that read accounts
 * @deprecated The host reads the accounts of a `Channel`.
 */
export function createScopedChannelConfigAdapter<Account>(
  options: ChannelConfigAdapterOptions<Account>,
) {
  const { sectionKey, allowTopLevel = true, clearBaseFields } = options;
  const read = (cfg: Config, accountId?: string | null): Account =>
    options.resolveAccessorAccount?.({ cfg, accountId: accountId ?? null }) ??
    options.resolveAccount(cfg, accountId);
  return {
    listAccountIds: options.listAccountIds,
    resolveAccount: options.resolveAccount,
    ...(options.inspectAccount === undefined ? {} : { inspectAccount: options.inspectAccount }),
    defaultAccountId: options.defaultAccountId,
    setAccountEnabled: (edit: { cfg: Config; accountId: string; enabled: boolean }) =>
      setAccountEnabledInConfigSection({ ...edit, sectionKey, allowTopLevel }),
    deleteAccount: (edit: { cfg: Config; accountId: string }) =>
      deleteAccountFromConfigSection({ ...edit, sectionKey, clearBaseFields }),
    resolveAllowFrom: (place: { cfg: Config; accountId?: string | null }): string[] =>
      (options.resolveAllowFrom(read(place.cfg, place.accountId)) ?? []).map(String),
    formatAllowFrom: ({ allowFrom }: { allowFrom: Entries }): string[] =>
      options.formatAllowFrom(allowFrom),
    ...(options.resolveDefaultTo === undefined
      ? {}
      : {
          resolveDefaultTo(place: { cfg: Config; accountId?: string | null }) {
            const found = options.resolveDefaultTo?.(read(place.cfg, place.accountId));
            const text = found === undefined || found === null ? "" : String(found).trim();
            return text === "" ? undefined : text;
          },
        }),
  };
}

/**
 * Creates the `config` adapter of a channel whose default account is at the top level of its section.
 * @param options - section, and functions that read accounts
 * @deprecated The host reads the accounts of a `Channel`.
 */
export function createHybridChannelConfigAdapter<Account>(
  options: ChannelConfigAdapterOptions<Account> & {
    readonly preserveSectionOnDefaultDelete?: boolean;
  },
) {
  return createScopedChannelConfigAdapter(options);
}

/** Policy of an account for direct messages. */
export interface DmSecurityPolicy {
  readonly policy: string;
  readonly allowFrom: Entries;
  /** Key of the policy in the configuration. */
  readonly policyPath?: string;
  readonly allowFromPath: string;
  readonly approveHint: string;
  readonly normalizeEntry?: (raw: string) => string;
}

/**
 * Creates the function that returns the policy of an account for direct messages.
 * @param options - keys, and functions that read the policy of an account
 * @deprecated The host applies `dmPolicy` and `allowFrom` of a channel.
 */
export function createScopedDmSecurityResolver<
  Account extends { readonly accountId?: string | null },
>(options: {
  readonly channelKey: string;
  readonly resolvePolicy: (account: Account) => string | null | undefined;
  readonly resolveAllowFrom: (account: Account) => Entries | null | undefined;
  readonly resolveFallbackAccountId?: (account: Account) => string | null | undefined;
  readonly defaultPolicy?: string;
  readonly allowFromPathSuffix?: string;
  readonly policyPathSuffix?: string;
  readonly approveChannelId?: string;
  readonly approveHint?: string;
  readonly normalizeEntry?: (raw: string) => string;
}) {
  const { channelKey, normalizeEntry } = options;
  return (place: {
    readonly cfg: Config;
    readonly accountId?: string | null;
    readonly account: Account;
  }): DmSecurityPolicy => {
    const { cfg, account } = place;
    const named =
      place.accountId ?? options.resolveFallbackAccountId?.(account) ?? account.accountId;
    const accountId = normalizeAccountId(named ?? DEFAULT_ACCOUNT_ID);
    const section = isRecord(cfg.channels) ? cfg.channels[channelKey] : undefined;
    const accounts = isRecord(section) ? section.accounts : undefined;
    const isOwn = isRecord(accounts) && Object.hasOwn(accounts, accountId);
    const path = isOwn
      ? `channels.${channelKey}.accounts.${accountId}.`
      : `channels.${channelKey}.`;
    const { policyPathSuffix } = options;
    const hint =
      options.approveHint ??
      `openclaw pairing approve ${options.approveChannelId ?? channelKey} <code>`;
    return {
      policy: options.resolvePolicy(account) ?? options.defaultPolicy ?? "pairing",
      allowFrom: options.resolveAllowFrom(account) ?? [],
      ...(policyPathSuffix === undefined ? {} : { policyPath: path + policyPathSuffix }),
      allowFromPath: path + (options.allowFromPathSuffix ?? ""),
      approveHint: hint,
      ...defined({ normalizeEntry }),
    };
  };
}
