import { sha256 } from "@openclaw/foundation";
import type { Selectable } from "kysely";
import { isJsonObject, readJson, readWord, writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeOptionalText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { AuditColumns } from "./schema.js";

const EVENTS = [
  "created",
  "delivered",
  "voted",
  "decided",
  "consumed",
  "refused",
  "granted",
  "revoked",
  "satisfied",
  "unattended",
  "device-approved",
  "device-rejected",
  "device-revoked",
  "device-renamed",
  "installation-repaired",
  "backup-restored",
] as const;

/** Number of rows that one step of a verification reads. */
const PAGE = 500;

/**
 * Event of the audit log: an approval request was stored, shown, voted on, decided or used for its one
 * execution, or a decision was rejected; a grant was created or revoked; a call ran without an
 * approval request because a policy or a setting waived it; an operator decided about a device, made
 * a repair of `openclaw doctor`, or put back a backup.
 */
export type AuditEvent = (typeof EVENTS)[number];

/** Actor of an audited event. */
export interface AuditActor {
  readonly channel: string;
  readonly id: string;
  readonly clientId?: string | undefined;
}

/** An audit log entry about to be written (APPR-034). */
export interface NewAuditEntry {
  readonly event: AuditEvent;
  readonly approvalId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly runId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly tool?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly actor?: AuditActor | undefined;
  /** Channel, for example `terminal`, `http` or `timeout`. */
  readonly via?: string | undefined;
  readonly decision?: string | undefined;
  readonly digest?: string | undefined;
  /** Policy decision that caused the event. */
  readonly decisionId?: string | undefined;
  /** Reason of a rejection, or of a waived approval request. */
  readonly reason?: string | undefined;
}

/** An entry of the audit log. */
export interface AuditEntry extends NewAuditEntry {
  /** Position in the chain, from 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly at: number;
  /** SHA-256 of this entry and the previous one, in hexadecimal. */
  readonly hash: string;
}

/** Result of a verification: intact, or the first changed entry. */
export type AuditVerdict =
  | { readonly intact: true; readonly rows: number }
  | { readonly intact: false; readonly seq: number; readonly problem: string };

/**
 * Audit log of approvals and grants. It is append-only, and each entry contains the hash of the
 * previous one.
 */
export interface Audit {
  /**
   * Appends an entry to the chain. Call it in the transaction of the event.
   * @param entry - the event
   */
  append(entry: NewAuditEntry): Promise<AuditEntry>;
  /**
   * Returns audit log entries, newest first.
   * @param filter - entries of one approval request or session, or before a position in the chain;
   *   `limit` is the maximum number, default 100
   * @throws StoreArgumentError when the limit is not a whole number from 1
   */
  list(filter?: {
    approvalId?: string | undefined;
    sessionKey?: string | undefined;
    before?: number | undefined;
    limit?: number | undefined;
  }): Promise<readonly AuditEntry[]>;
  /** Reads the whole chain and finds the first entry that was changed, added, moved or removed. */
  verify(): Promise<AuditVerdict>;
}

/** The audit log of a database or transaction. */
export class AuditTable implements Audit {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async append(entry: NewAuditEntry): Promise<AuditEntry> {
    const { event, approvalId, runId, sessionKey, ...facts } = entry;
    return await this.#unit.atomic(async (unit) => {
      // The head is written first, so that concurrent writers wait here and the chain does not fork.
      const head = await unit
        .query()
        .updateTable("audit_head")
        .set((column) => ({ seq: column("seq", "+", 1) }))
        .where("id", "=", 1)
        .returningAll()
        .executeTakeFirstOrThrow();
      const seq = Number(head.seq);
      const link = {
        seq,
        at: await unit.clock(),
        event,
        approval_id: encodeOptionalText(approvalId),
        run_id: encodeOptionalText(runId),
        session_key: encodeOptionalText(sessionKey),
        facts: writeJson(facts, "audit.facts", String(seq)),
        previous_hash: head.hash,
      };
      const row = { ...link, hash: hashOf(link) };
      await unit.query().insertInto("audit").values(row).execute();
      await unit
        .query()
        .updateTable("audit_head")
        .set({ hash: row.hash })
        .where("id", "=", 1)
        .execute();
      return toEntry(row);
    });
  }

  async list(
    filter: {
      approvalId?: string | undefined;
      sessionKey?: string | undefined;
      before?: number | undefined;
      limit?: number | undefined;
    } = {},
  ): Promise<readonly AuditEntry[]> {
    const { approvalId, sessionKey, before, limit = 100 } = filter;
    requireLimit("audit.list", limit);
    let query = this.#unit.query().selectFrom("audit").selectAll();
    if (approvalId !== undefined) query = query.where("approval_id", "=", encodeText(approvalId));
    if (sessionKey !== undefined) query = query.where("session_key", "=", encodeText(sessionKey));
    if (before !== undefined) query = query.where("seq", "<", before);
    return (await query.orderBy("seq", "desc").limit(limit).execute()).map(toEntry);
  }

  async verify(): Promise<AuditVerdict> {
    return await this.#unit.atomic(async (unit) => {
      let last = { seq: 0, hash: "" };
      for (;;) {
        const rows = await unit
          .query()
          .selectFrom("audit")
          .selectAll()
          .where("seq", ">", last.seq)
          .orderBy("seq")
          .limit(PAGE)
          .execute();
        for (const row of rows) {
          const link = { ...row, seq: Number(row.seq), at: Number(row.at) };
          const problem = problemOf(link, last);
          if (problem !== undefined) return { intact: false, seq: last.seq + 1, problem };
          last = { seq: link.seq, hash: row.hash };
        }
        if (rows.length < PAGE) break;
      }
      const head = await unit
        .query()
        .selectFrom("audit_head")
        .selectAll()
        .where("id", "=", 1)
        .executeTakeFirst();
      if (head === undefined || Number(head.seq) !== last.seq || head.hash !== last.hash) {
        const problem = `the chain ends at entry ${last.seq}, but ${Number(head?.seq ?? 0)} entries were written`;
        return { intact: false, seq: last.seq + 1, problem };
      }
      return { intact: true, rows: last.seq };
    });
  }
}

type Link = Omit<AuditColumns, "hash">;

function problemOf(row: AuditColumns, last: { seq: number; hash: string }): string | undefined {
  if (row.seq !== last.seq + 1) return `entry ${last.seq + 1} is missing`;
  if (row.previous_hash !== last.hash)
    return `entry ${row.seq} does not match the hash of the previous entry`;
  if (hashOf(row) !== row.hash) return `entry ${row.seq} was changed`;
  return undefined;
}

function hashOf(link: Link): string {
  const { seq, at, event, approval_id, run_id, session_key, facts, previous_hash } = link;
  const sealed = [seq, at, event, approval_id, run_id, session_key, facts, previous_hash];
  return sha256(JSON.stringify(sealed));
}

function toEntry(row: Selectable<AuditColumns>): AuditEntry {
  const id = String(row.seq);
  return {
    ...readJson(row.facts, isFacts, "audit.facts", id),
    event: readWord(row.event, EVENTS, "audit.event", id),
    approvalId: decodeOptionalText(row.approval_id),
    runId: decodeOptionalText(row.run_id),
    sessionKey: decodeOptionalText(row.session_key),
    seq: Number(row.seq),
    at: Number(row.at),
    hash: row.hash,
  };
}

function isFacts(value: unknown): value is Omit<NewAuditEntry, "event"> {
  if (!isJsonObject(value)) return false;
  const { actor, ...texts } = value;
  return (
    Object.values(texts).every((text) => typeof text === "string") &&
    (actor === undefined || isJsonObject(actor))
  );
}
