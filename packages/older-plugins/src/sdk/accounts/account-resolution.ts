import { normalizeAccountId } from "../account-id.js";
import { isRecord } from "../string-coerce-runtime.js";

export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns the settings of an account: its own over those of the channel.
 * @param options - section of the channel, accounts, and settings that are not inherited or merged by field
 * @deprecated A `Channel` receives them as `context.config`.
 */
export function resolveMergedAccountConfig(options: {
  readonly channelConfig: Config | undefined;
  readonly accounts: Config | undefined;
  readonly accountId: string;
  readonly omitKeys?: readonly string[];
  readonly nestedObjectKeys?: readonly string[];
  readonly normalizeAccountId?: (id: string) => string;
}): Record<string, unknown> {
  const { channelConfig, omitKeys = [], nestedObjectKeys = [] } = options;
  const omitted = new Set(["accounts", ...omitKeys]);
  const common = Object.fromEntries(
    Object.entries(channelConfig ?? {}).filter(([key]) => !omitted.has(key)),
  );
  const own = accountEntry(options) ?? {};
  const nested = nestedObjectKeys.flatMap((key) => {
    const parts = [common[key], own[key]];
    return parts.every(isRecord) ? [[key, { ...parts[0], ...parts[1] }]] : [];
  });
  return { ...common, ...own, ...Object.fromEntries(nested) };
}

/** Finds an account by its ID, in any spelling. */
function accountEntry(options: {
  readonly accounts: Config | undefined;
  readonly accountId: string;
  readonly normalizeAccountId?: (id: string) => string;
}): Record<string, unknown> | undefined {
  const { accounts = {}, accountId } = options;
  const normalize = options.normalizeAccountId ?? normalizeAccountId;
  const wanted = normalize(accountId);
  const key = Object.hasOwn(accounts, accountId)
    ? accountId
    : Object.keys(accounts).find((id) => normalize(id) === wanted);
  const found = key === undefined ? undefined : accounts[key];
  return isRecord(found) ? found : undefined;
}

/**
 * Returns an account, or the default one when no account was named and the first one has no credential.
 * @param options - functions that read accounts
 * @deprecated The host runs each account of a `Channel`.
 */
export function resolveAccountWithDefaultFallback<Account>(options: {
  readonly accountId?: string | null;
  readonly normalizeAccountId: (accountId?: string | null) => string;
  readonly resolvePrimary: (accountId: string) => Account;
  readonly hasCredential: (account: Account) => boolean;
  readonly resolveDefaultAccountId: () => string;
}): Account {
  const { accountId, resolvePrimary, hasCredential } = options;
  const isNamed = (accountId?.trim() ?? "") !== "";
  const wanted = options.normalizeAccountId(accountId);
  const primary = resolvePrimary(wanted);
  if (isNamed || hasCredential(primary)) return primary;
  const fallbackId = options.resolveDefaultAccountId();
  if (fallbackId === wanted) return primary;
  const fallback = resolvePrimary(fallbackId);
  return hasCredential(fallback) ? fallback : primary;
}

/**
 * Joins lists of account IDs, sorted and without repeats.
 * @param lists - configured, further and implicit accounts, and the account when there is none
 * @deprecated The host lists the accounts of a `Channel`.
 */
export function listCombinedAccountIds(lists: {
  readonly configuredAccountIds: Iterable<string>;
  readonly additionalAccountIds?: Iterable<string> | undefined;
  readonly implicitAccountId?: string | undefined;
  readonly fallbackAccountIdWhenEmpty?: string | undefined;
}): string[] {
  const { implicitAccountId, fallbackAccountIdWhenEmpty } = lists;
  const ids = new Set([
    ...lists.configuredAccountIds,
    ...(lists.additionalAccountIds ?? []),
    ...(implicitAccountId === undefined ? [] : [implicitAccountId]),
  ]);
  ids.delete("");
  if (ids.size > 0) return [...ids].sort((a, b) => a.localeCompare(b));
  return fallbackAccountIdWhenEmpty === undefined ? [] : [fallbackAccountIdWhenEmpty];
}
