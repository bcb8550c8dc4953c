type Entries = readonly (string | number)[];

/**
 * Spells the entries of an access list.
 * @param list - entries, and the function that spells one; entries without a result are left out
 * @deprecated The host spells `allowFrom` of a channel.
 */
export function formatNormalizedAllowFromEntries(list: {
  readonly allowFrom: Entries;
  readonly normalizeEntry: (entry: string) => string | null | undefined;
}): string[] {
  return list.allowFrom.flatMap((entry) => list.normalizeEntry(String(entry).trim()) || []);
}

/**
 * Spells the entries of an access list in lower case.
 * @param list - entries, and a prefix to remove
 * @deprecated The host spells `allowFrom` of a channel.
 */
export function formatAllowFromLowercase(list: {
  readonly allowFrom: Entries;
  readonly stripPrefixRe?: RegExp;
}): string[] {
  const { allowFrom, stripPrefixRe } = list;
  return formatNormalizedAllowFromEntries({
    allowFrom,
    normalizeEntry: (entry) =>
      (stripPrefixRe === undefined ? entry : entry.replace(stripPrefixRe, "")).toLowerCase(),
  });
}

/**
 * Joins access lists, without repeats.
 * @param lists - existing entries, and those to add
 * @deprecated The host admits the paired senders of a channel.
 */
export function mergeAllowlist(lists: {
  readonly existing?: Entries;
  readonly additions: readonly string[];
}): string[] {
  const entries = [...(lists.existing ?? []), ...lists.additions].map((each) =>
    String(each).trim(),
  );
  return [...new Set(entries.filter((entry) => entry !== ""))];
}

/**
 * Adds the entry for everyone to an access list.
 * @deprecated Set `dmPolicy: "open"`.
 */
export function addWildcardAllowFrom(allowFrom?: Entries | null): string[] {
  return mergeAllowlist({ existing: allowFrom ?? [], additions: ["*"] });
}

/**
 * Returns whether an access list names a sender.
 * @param sender - entries, ID and name of the sender, and whether names count
 * @deprecated The host decides about the senders of a channel.
 */
export function resolveAllowlistMatchSimple(sender: {
  readonly allowFrom: Entries;
  readonly senderId: string;
  readonly senderName?: string | null;
  readonly allowNameMatching?: boolean;
}): {
  readonly allowed: boolean;
  readonly matchKey?: string;
  readonly matchSource?: "wildcard" | "id" | "name";
} {
  const entries = sender.allowFrom.map((entry) => String(entry).trim().toLowerCase());
  if (entries.includes("*")) return { allowed: true, matchKey: "*", matchSource: "wildcard" };
  const id = sender.senderId.trim().toLowerCase();
  if (id !== "" && entries.includes(id)) return { allowed: true, matchKey: id, matchSource: "id" };
  const name = sender.senderName?.trim().toLowerCase() ?? "";
  if (sender.allowNameMatching === true && name !== "" && entries.includes(name)) {
    return { allowed: true, matchKey: name, matchSource: "name" };
  }
  return { allowed: false };
}
