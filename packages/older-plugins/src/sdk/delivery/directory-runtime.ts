type Config = Readonly<Record<string, unknown>>;

/** Person or group that a plugin knows. */
export interface DirectoryEntry {
  readonly kind: "user" | "group";
  readonly id: string;
}

/** Search in the people or groups of an account. */
interface DirectoryQuery {
  readonly cfg: Config;
  readonly accountId?: string | null;
  readonly query?: string | null;
  readonly limit?: number | null;
}

/**
 * Returns the directory of a channel with its defaults. The host does not search in it.
 * @param members - functions of the directory
 * @deprecated The `message` tool takes IDs.
 */
export function createChannelDirectoryAdapter<Members extends object>(members?: Members) {
  return { self: async () => null, ...members };
}

/**
 * Returns a directory without entries.
 * @deprecated The `message` tool takes IDs.
 */
export function createEmptyChannelDirectoryAdapter() {
  return createChannelDirectoryAdapter({ listPeers: async () => [], listGroups: async () => [] });
}

/**
 * Creates the function that lists the people or groups in the settings of an account.
 * @param options - kind, account, its lists, and the spelling of an ID
 * @deprecated The `message` tool takes IDs.
 */
export function createResolvedDirectoryEntriesLister<Account>(options: {
  readonly kind: "user" | "group";
  readonly resolveAccount: (cfg: Config, accountId?: string | null) => Account;
  readonly resolveSources: (account: Account) => readonly Iterable<unknown>[];
  readonly normalizeId: (entry: string) => string | null | undefined;
}): (query: DirectoryQuery) => Promise<DirectoryEntry[]> {
  const { kind, resolveAccount, resolveSources, normalizeId } = options;
  return async ({ cfg, accountId = null, query, limit }) => {
    const entries = resolveSources(resolveAccount(cfg, accountId)).flatMap((source) => [...source]);
    const ids = entries
      .map((entry) => String(entry).trim())
      .filter((entry) => entry !== "" && entry !== "*")
      .flatMap((entry) => normalizeId(entry) || []);
    const wanted = query?.trim().toLowerCase() ?? "";
    const found = [...new Set(ids)].filter((id) => id.toLowerCase().includes(wanted));
    return found.slice(0, limit ?? undefined).map((id) => ({ kind, id }));
  };
}
