import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { AuditLogBrokenError, GuardOptionInvalidError } from "../errors.js";
import { readAuditFile } from "./audit-file.js";
import { newestEntry, readEntries } from "./audit-store.js";
import { type AuditEntry, chainProblem } from "./entry.js";

const DEFAULT_LIMIT = 20;
const MOST_LISTED = 100_000;

/** Result of a check of the audit log. */
export interface AuditReport {
  readonly places: readonly {
    readonly place: string;
    readonly entries: number;
    /** Hash of the newest entry; compare it with an earlier copy to find a cut end. */
    readonly newest: string | undefined;
  }[];
}

/**
 * Checks the audit log: that no entry was changed, removed or added, in the database and in the file.
 * @param database - database of the guards
 * @param file - file of the audit log, if any
 * @throws AuditLogBrokenError that names the first entry that does not fit
 */
export async function verifyAudit(
  database: PluginDatabase,
  file: string | undefined,
): Promise<AuditReport> {
  const stored: AuditEntry[] = [];
  for await (const entry of readEntries(database)) stored.push(entry);
  const places = [checked("the database", stored)];
  if (file !== undefined) {
    const inFile = await readFileEntries(file);
    const known = new Map(stored.map(({ seq, hash }) => [seq, hash]));
    const foreign = inFile.find(({ seq, hash }) => known.has(seq) && known.get(seq) !== hash);
    if (foreign !== undefined) {
      throw new AuditLogBrokenError(
        file,
        `entry ${foreign.seq} is another one than in the database`,
      );
    }
    places.push(checked(file, inFile));
  }
  return { places };
}

async function readFileEntries(file: string): Promise<readonly AuditEntry[]> {
  try {
    return await readAuditFile(file);
  } catch (error) {
    if (error instanceof SyntaxError) throw new AuditLogBrokenError(file, "a line is not JSON");
    throw error;
  }
}

function checked(place: string, entries: readonly AuditEntry[]): AuditReport["places"][number] {
  const problem = chainProblem(entries);
  if (problem !== undefined) throw new AuditLogBrokenError(place, problem);
  return { place, entries: entries.length, newest: entries.at(-1)?.hash };
}

/**
 * Returns the newest entries, oldest first, as values and as lines.
 * @param database - database of the guards
 * @param limit - option of the command
 * @throws GuardOptionInvalidError when the limit is not a number of entries
 */
export async function auditLines(
  database: PluginDatabase,
  limit: string | undefined,
): Promise<{ readonly values: readonly AuditEntry[]; readonly lines: readonly string[] }> {
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST_LISTED) {
    throw new GuardOptionInvalidError(
      "--limit",
      `expected a number from 1 to ${MOST_LISTED}, got ${limit}`,
    );
  }
  const { seq } = await newestEntry(database);
  const values: AuditEntry[] = [];
  for await (const entry of readEntries(database, Math.max(1, seq - count + 1))) values.push(entry);
  const lines = values.map(({ seq: number, at, point, sessionKey, sender, tool, outcome }) =>
    [
      String(number).padStart(6),
      new Date(at).toISOString(),
      point.padEnd(18),
      outcome.padEnd(12),
      [sender, tool, sessionKey].filter((part) => part !== undefined).join("  "),
    ].join("  "),
  );
  return { values, lines: values.length === 0 ? ["The audit log is empty."] : lines };
}
