/** Entry of a section, and how it was found. */
export interface ChannelEntryMatch<Entry> {
  readonly entry?: Entry;
  readonly key?: string;
  readonly wildcardEntry?: Entry;
  readonly wildcardKey?: string;
  readonly parentEntry?: Entry;
  readonly parentKey?: string;
  readonly matchKey?: string;
  readonly matchSource?: "direct" | "parent" | "wildcard";
}

/**
 * Returns the keys under which a room can be configured, without repeats and empty ones.
 * @param keys - keys in the order of their precedence
 * @deprecated Read `groups` in the channel.
 */
export function buildChannelKeyCandidates(
  ...keys: readonly (string | null | undefined)[]
): string[] {
  return [...new Set(keys.flatMap((key) => key?.trim() || []))];
}

/**
 * Returns the name of a room in the form of a key.
 * @deprecated Read `groups` in the channel.
 */
export function normalizeChannelSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^#/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/**
 * Returns the first entry with one of several keys, and the entry for all rooms.
 * @param search - entries, keys, and the key for all rooms
 * @deprecated Read `groups` in the channel.
 */
export function resolveChannelEntryMatch<Entry>(search: {
  readonly entries?: Readonly<Record<string, Entry>> | undefined;
  readonly keys: readonly string[];
  readonly wildcardKey?: string;
}): ChannelEntryMatch<Entry> {
  const { entries = {}, keys, wildcardKey } = search;
  const key = keys.find((each) => Object.hasOwn(entries, each));
  const wildcard =
    wildcardKey !== undefined && Object.hasOwn(entries, wildcardKey) ? wildcardKey : undefined;
  return {
    ...(key === undefined ? {} : { entry: entries[key] as Entry, key }),
    ...(wildcard === undefined
      ? {}
      : { wildcardEntry: entries[wildcard] as Entry, wildcardKey: wildcard }),
  };
}

/**
 * Returns the entry of a room: by its keys, by their spelling, by those of its parent, or that for all rooms.
 * @param search - entries, keys, and how they are spelled
 * @deprecated Read `groups` in the channel.
 */
export function resolveChannelEntryMatchWithFallback<Entry>(search: {
  readonly entries?: Readonly<Record<string, Entry>> | undefined;
  readonly keys: readonly string[];
  readonly parentKeys?: readonly string[];
  readonly wildcardKey?: string;
  readonly normalizeKey?: (key: string) => string;
}): ChannelEntryMatch<Entry> {
  const { entries = {}, keys, parentKeys = [], normalizeKey } = search;
  const direct = resolveChannelEntryMatch(search);
  const find = (wanted: readonly string[]): string | undefined => {
    const exact = wanted.find((key) => Object.hasOwn(entries, key));
    if (exact !== undefined || normalizeKey === undefined) return exact;
    const spelled = wanted.map(normalizeKey).filter((key) => key !== "");
    return Object.keys(entries).find((key) => spelled.includes(normalizeKey(key)));
  };
  const key = find(keys);
  if (key !== undefined) {
    const entry = entries[key] as Entry;
    return { ...direct, entry, key, matchKey: key, matchSource: "direct" };
  }
  const parentKey = find(parentKeys);
  if (parentKey !== undefined) {
    const parentEntry = entries[parentKey] as Entry;
    const found = { entry: parentEntry, key: parentKey, parentEntry, parentKey };
    return { ...direct, ...found, matchKey: parentKey, matchSource: "parent" };
  }
  const { wildcardEntry, wildcardKey } = direct;
  if (wildcardEntry === undefined || wildcardKey === undefined) return direct;
  const found = { entry: wildcardEntry, key: wildcardKey, matchKey: wildcardKey };
  return { ...direct, ...found, matchSource: "wildcard" };
}

/**
 * Returns whether two access lists admit: the outer one, and the inner one where it exists.
 * @param lists - existence and result of both lists
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function resolveNestedAllowlistDecision(lists: {
  readonly outerConfigured: boolean;
  readonly outerMatched: boolean;
  readonly innerConfigured: boolean;
  readonly innerMatched: boolean;
}): boolean {
  if (!lists.outerConfigured) return true;
  if (!lists.outerMatched) return false;
  return !lists.innerConfigured || lists.innerMatched;
}
