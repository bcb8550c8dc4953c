import { defined } from "@openclaw/foundation";
import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
import { isRecord } from "../string-coerce-runtime.js";
import { listCombinedAccountIds, resolveMergedAccountConfig } from "./account-resolution.js";

type Config = Readonly<Record<string, unknown>>;

/** Account as a plugin describes it. */
export interface AccountSnapshotInput {
  readonly accountId?: string | null;
  readonly name?: string | null;
  readonly enabled?: boolean | null;
}

/** Description of an account for its status. */
export interface AccountSnapshot {
  readonly accountId: string;
  readonly name?: string;
  readonly enabled: boolean;
  readonly configured?: boolean;
  readonly [field: string]: unknown;
}

/** Settings of {@link createAccountListHelpers}. */
export interface AccountListOptions {
  readonly normalizeAccountId?: (id: string) => string;
  /** Settings of the channel that accounts do not inherit. */
  readonly omitKeys?: readonly string[];
  /** Settings that are objects, of which accounts replace single fields. */
  readonly nestedObjectKeys?: readonly string[];
  readonly allowUnlistedDefaultAccount?: boolean;
  readonly additionalAccountIds?: (cfg: Config) => Iterable<string>;
  readonly fallbackAccountIdWhenEmpty?: string | false;
  readonly implicitDefaultAccount?: {
    readonly channelKeys?: readonly string[];
    readonly envVars?: readonly string[];
  };
  readonly hasImplicitDefaultAccount?: (cfg: Config) => boolean;
  readonly resolveImplicitAccountId?: (cfg: Config) => string | undefined;
}

/**
 * Creates functions that list the accounts of a channel.
 * @param channelKey - key below `channels`
 * @param options - accounts that are not under `accounts`, and how settings are inherited
 * @deprecated The host lists the accounts of a `Channel`.
 */
export function createAccountListHelpers(channelKey: string, options: AccountListOptions = {}) {
  const normalize = options.normalizeAccountId ?? normalizeAccountId;
  const sectionOf = (cfg: Config): Config => {
    const section = isRecord(cfg.channels) ? cfg.channels[channelKey] : undefined;
    return isRecord(section) ? section : {};
  };
  const listConfiguredAccountIds = (cfg: Config): string[] => {
    const { accounts } = sectionOf(cfg);
    const ids = isRecord(accounts) ? Object.keys(accounts).filter((id) => id !== "") : [];
    return [...new Set(ids.map(normalize))];
  };
  const implicitAccount = (cfg: Config): string | undefined => {
    const named = options.resolveImplicitAccountId?.(cfg);
    if (named !== undefined) return named;
    const { channelKeys = [], envVars = [] } = options.implicitDefaultAccount ?? {};
    const section = sectionOf(cfg);
    const isImplicit =
      options.hasImplicitDefaultAccount?.(cfg) === true ||
      channelKeys.some((key) => hasConfiguredAccountValue(section[key])) ||
      envVars.some((name) => hasConfiguredAccountValue(process.env[name]));
    return isImplicit ? DEFAULT_ACCOUNT_ID : undefined;
  };
  const listAccountIds = (cfg: Config): string[] =>
    listCombinedAccountIds({
      configuredAccountIds: listConfiguredAccountIds(cfg),
      additionalAccountIds: options.additionalAccountIds?.(cfg) ?? [],
      implicitAccountId: implicitAccount(cfg),
      fallbackAccountIdWhenEmpty:
        options.fallbackAccountIdWhenEmpty === false
          ? undefined
          : (options.fallbackAccountIdWhenEmpty ?? DEFAULT_ACCOUNT_ID),
    });
  return {
    listConfiguredAccountIds,
    listAccountIds,
    resolveDefaultAccountId(cfg: Config): string {
      const { defaultAccount } = sectionOf(cfg);
      const ids = listAccountIds(cfg);
      const preferred = typeof defaultAccount === "string" ? normalize(defaultAccount) : undefined;
      const isListed = preferred !== undefined && ids.includes(preferred);
      if (isListed || (preferred !== undefined && options.allowUnlistedDefaultAccount === true)) {
        return preferred;
      }
      if (ids.includes(DEFAULT_ACCOUNT_ID)) return DEFAULT_ACCOUNT_ID;
      return ids[0] ?? DEFAULT_ACCOUNT_ID;
    },
    resolveAccountConfig(cfg: Config, accountId: string): Config {
      const section = sectionOf(cfg);
      return resolveMergedAccountConfig({
        channelConfig: section,
        accounts: isRecord(section.accounts) ? section.accounts : undefined,
        accountId,
        omitKeys: options.omitKeys ?? ["defaultAccount"],
        nestedObjectKeys: options.nestedObjectKeys ?? [],
        normalizeAccountId: normalize,
      });
    },
  };
}

/**
 * Returns true for a value that makes an account configured: a text that is not empty, or a reference to a secret.
 * @param value - setting
 * @deprecated Check the setting in the channel.
 */
export function hasConfiguredAccountValue(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false;
}

/**
 * Describes an account for its status, without secrets.
 * @param description - account, whether it is configured, and further fields
 * @deprecated The host shows the status of a `Channel`.
 */
export function describeAccountSnapshot(description: {
  readonly account: AccountSnapshotInput;
  readonly configured?: boolean | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}): AccountSnapshot {
  const { account, configured, extra } = description;
  return {
    accountId: account.accountId ?? DEFAULT_ACCOUNT_ID,
    ...(account.name ? { name: account.name } : {}),
    enabled: account.enabled !== false,
    ...defined({ configured }),
    ...extra,
  };
}

/**
 * Describes an account that receives webhooks.
 * @param description - account, mode, and further fields
 * @deprecated The host shows the status of a `Channel`.
 */
export function describeWebhookAccountSnapshot(
  description: Parameters<typeof describeAccountSnapshot>[0] & {
    readonly mode?: string | undefined;
  },
): AccountSnapshot {
  const { mode = "webhook", extra, ...rest } = description;
  return describeAccountSnapshot({ ...rest, extra: { mode, ...extra } });
}

/**
 * Returns the limit for files of a channel in bytes.
 * @param place - configuration, account, and the function that reads the limit in MB
 * @deprecated The host limits received files.
 */
export function resolveChannelMediaMaxBytes(place: {
  readonly cfg: Config;
  readonly resolveChannelLimitMb: (place: {
    readonly cfg: Config;
    readonly accountId: string;
  }) => number | undefined;
  readonly accountId?: string | null;
}): number | undefined {
  const { cfg, accountId } = place;
  const limit = place.resolveChannelLimitMb({ cfg, accountId: normalizeAccountId(accountId) });
  return limit === undefined ? undefined : limit * 1024 * 1024;
}
