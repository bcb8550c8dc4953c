import { foldCase, matchesGlob } from "../matching/glob.js";

/** `allowlist` admits what `allow` matches; the other two admit everyone. */
export type AclMode = "allowall" | "allowlist" | "blocklist";

/** One entry of an access list; compared without regard to case. */
export interface AclEntry {
  readonly kind: "exact" | "prefix" | "suffix" | "contains" | "glob";
  readonly value: string;
}

/** An access control list. */
export interface AccessControlList {
  readonly mode: AclMode;
  readonly allow: readonly AclEntry[];
  readonly block: readonly AclEntry[];
}

/** The outcome, and the entry or mode that decided it. */
export type AclDecision =
  | { readonly allowed: boolean; readonly decidedBy: "allow" | "block"; readonly entry: AclEntry }
  | { readonly allowed: boolean; readonly decidedBy: "mode" };

function entryMatches(entry: AclEntry, value: string): boolean {
  if (entry.kind === "glob") return matchesGlob(entry.value, value);
  const text = foldCase(value);
  const expected = foldCase(entry.value);
  if (entry.kind === "exact") return text === expected;
  // Every string contains an empty fragment; it is a mistake, not a request to match everyone.
  if (expected === "") return false;
  if (entry.kind === "prefix") return text.startsWith(expected);
  if (entry.kind === "suffix") return text.endsWith(expected);
  return text.includes(expected);
}

/**
 * Decides whether a value, such as a sender's address, passes an access list (SAFE-053). A matching
 * `block` entry wins in every mode.
 * @param list - mode and entries
 * @param value - the text to evaluate
 */
export function evaluateAcl(list: AccessControlList, value: string): AclDecision {
  const blocked = list.block.find((entry) => entryMatches(entry, value));
  if (blocked !== undefined) return { allowed: false, decidedBy: "block", entry: blocked };
  if (list.mode === "allowall" || list.mode === "blocklist") {
    return { allowed: true, decidedBy: "mode" };
  }
  const admitted = list.allow.find((entry) => entryMatches(entry, value));
  if (admitted !== undefined) return { allowed: true, decidedBy: "allow", entry: admitted };
  return { allowed: false, decidedBy: "mode" };
}
