import type { PluginDatabase, PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import { insertRows } from "../storage/rows.js";
import { type AuditEntry, type AuditEvent, chained, NO_ENTRY } from "./entry.js";

interface EntryRow {
  readonly seq: number | bigint;
  readonly at: number | bigint;
  readonly point: string;
  readonly session_key: string | null;
  readonly sender: string | null;
  readonly tool: string | null;
  readonly digest: string | null;
  readonly outcome: string;
  readonly previous: string;
  readonly hash: string;
}

const COLUMNS = "seq, at, point, session_key, sender, tool, digest, outcome, previous, hash";
/** Entries that are read at a time. */
const PAGE = 1000;

/**
 * Appends events to the chain in the database.
 * @param database - database of the guards
 * @param events - events in order
 * @returns their entries
 */
export async function appendEntries(
  database: PluginDatabase,
  events: readonly AuditEvent[],
): Promise<readonly AuditEntry[]> {
  return await database.transaction(async (inside) => {
    let last = await newestEntry(inside);
    const entries: AuditEntry[] = [];
    for (const event of events) {
      const entry = chained(event, last);
      entries.push(entry);
      last = entry;
    }
    await insertRows(
      inside,
      `insert into audit_entries (${COLUMNS})`,
      entries.map((entry) => [
        entry.seq,
        entry.at,
        entry.point,
        entry.sessionKey ?? null,
        entry.sender ?? null,
        entry.tool ?? null,
        entry.digest ?? null,
        entry.outcome,
        entry.previous,
        entry.hash,
      ]),
    );
    return entries;
  });
}

/**
 * Deletes entries before a time, apart from the newest, from which the chain continues.
 * @param database - database of the guards
 * @param before - milliseconds since the epoch
 */
export async function pruneEntries(database: PluginDatabaseQuery, before: number): Promise<void> {
  await database.query(
    "delete from audit_entries where at < $1 and seq < (select max(seq) from audit_entries)",
    [before],
  );
}

/**
 * Reads entries in order.
 * @param database - database of the guards
 * @param from - number of the first entry
 */
export async function* readEntries(
  database: PluginDatabaseQuery,
  from = 1,
): AsyncGenerator<AuditEntry> {
  let next = from;
  for (;;) {
    const rows = await database.query<EntryRow>(
      `select ${COLUMNS} from audit_entries where seq >= $1 order by seq limit ${PAGE}`,
      [next],
    );
    for (const row of rows) yield entryOf(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    next = Number(last.seq) + 1;
  }
}

/**
 * Returns number and hash of the newest entry.
 * @param database - database of the guards
 */
export async function newestEntry(
  database: PluginDatabaseQuery,
): Promise<{ readonly seq: number; readonly hash: string }> {
  const [row] = await database.query<Pick<EntryRow, "seq" | "hash">>(
    "select seq, hash from audit_entries order by seq desc limit 1",
  );
  return row === undefined ? { seq: 0, hash: NO_ENTRY } : { seq: Number(row.seq), hash: row.hash };
}

function entryOf({ session_key: sessionKey, ...row }: EntryRow): AuditEntry {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    point: row.point,
    sessionKey: sessionKey ?? undefined,
    sender: row.sender ?? undefined,
    tool: row.tool ?? undefined,
    digest: row.digest ?? undefined,
    outcome: row.outcome,
    previous: row.previous,
    hash: row.hash,
  };
}
