import { createHmac, hash } from "node:crypto";

/** Event that the audit log records. */
export interface AuditEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Hook that observed the event. */
  readonly point: string;
  readonly sessionKey?: string | undefined;
  /** Channel and id of the sender. */
  readonly sender?: string | undefined;
  readonly tool?: string | undefined;
  /** Keyed digest of the content, which is never stored. */
  readonly digest?: string | undefined;
  readonly outcome: string;
}

/** Entry of the audit log, chained to the one before it. */
export interface AuditEntry extends AuditEvent {
  /** Number of the entry, from 1. */
  readonly seq: number;
  /** Hash of the entry before it; that of the first entry is all zeros. */
  readonly previous: string;
  /** SHA-256 of the entry without this field. */
  readonly hash: string;
}

/** Hash before the first entry. */
export const NO_ENTRY = "0".repeat(64);

/**
 * Chains an event to the entry before it.
 * @param event - observed event
 * @param last - number and hash of the newest entry
 */
export function chained(
  event: AuditEvent,
  last: { readonly seq: number; readonly hash: string },
): AuditEntry {
  const unsigned = { ...event, seq: last.seq + 1, previous: last.hash };
  return { ...unsigned, hash: hashOf(unsigned) };
}

/** Returns the hash of an entry: SHA-256 of its fields in a fixed order, absent ones as null. */
function hashOf(entry: Omit<AuditEntry, "hash">): string {
  const { seq, at, point, sessionKey, sender, tool, digest, outcome, previous } = entry;
  const fields = [seq, at, point, sessionKey, sender, tool, digest, outcome, previous];
  return hash("sha256", JSON.stringify(fields.map((field) => field ?? null)), "hex");
}

/**
 * Returns a digest that shows whether two contents are equal, and does not let a short secret be guessed.
 * @param content - any JSON value
 * @param key - key of this host
 */
export function contentDigest(content: unknown, key: Uint8Array): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
}

/**
 * Returns the first problem of a chain.
 * @param entries - entries in order
 * @param start - number and hash of the entry before them
 */
export function chainProblem(
  entries: Iterable<AuditEntry>,
  start?: { readonly seq: number; readonly hash: string },
): string | undefined {
  let last = start;
  for (const entry of entries) {
    if (last !== undefined && entry.seq !== last.seq + 1) {
      return `entry ${last.seq + 1} is missing (the next one is ${entry.seq})`;
    }
    if (last !== undefined && entry.previous !== last.hash) {
      return `entry ${entry.seq} does not follow entry ${last.seq}`;
    }
    if (hashOf(entry) !== entry.hash) return `entry ${entry.seq} was changed`;
    last = entry;
  }
  return undefined;
}
