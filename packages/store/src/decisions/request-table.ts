import { writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowDataError } from "../errors.js";
import type { Approval, NewApproval } from "./approval.js";
import { codeOf, newCode } from "./approval-code.js";
import { columnsOfApproval, toApproval } from "./approval-row.js";
import type { ApprovalOwner, ApprovalSettlement, Approvals, ApprovalUse } from "./approvals.js";
import { type ApprovalFilter, type ApprovalSelection, selectApprovals } from "./query.js";

const CODE_ATTEMPTS = 20;

/** Approval requests of a database or transaction. */
export class ApprovalTable implements Approvals {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async create(approval: NewApproval): Promise<Approval> {
    const now = await this.#unit.clock();
    const id = `apr_${this.#newId(now)}`;
    const row = { ...columnsOfApproval(id, approval), created_at: now };
    for (let attempt = 1; attempt <= CODE_ATTEMPTS; attempt++) {
      const created = await this.#unit
        .query()
        .insertInto("approvals")
        .values({ ...row, id, code: newCode(), expires_at: now + approval.timeoutMs })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (created !== undefined) return toApproval(created);
    }
    throw new RowDataError(
      `approvals.create: ${CODE_ATTEMPTS} codes in a row were in use; decide some of the pending approvals first`,
    );
  }

  async get(idOrCode: string): Promise<Approval | undefined> {
    const found = await this.#unit
      .query()
      .selectFrom("approvals")
      .selectAll()
      .where((where) =>
        where.or([where("id", "=", encodeText(idOrCode)), where("code", "=", codeOf(idOrCode))]),
      )
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return found === undefined ? undefined : toApproval(found);
  }

  async pending(sessionKey: string): Promise<readonly Approval[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("approvals")
      .selectAll()
      .where("session_key", "=", encodeText(sessionKey))
      .where("state", "=", "pending")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toApproval);
  }

  async list({
    after,
    limit = 100,
    ...selection
  }: ApprovalFilter = {}): Promise<readonly Approval[]> {
    requireLimit("approvals.list", limit);
    const rows = await selectApprovals(this.#unit.query(), selection)
      .selectAll()
      .$if(after !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb("created_at", "<", after?.createdAt ?? 0),
            and([
              eb("created_at", "=", after?.createdAt ?? 0),
              eb("id", "<", encodeText(after?.id ?? "")),
            ]),
          ]),
        ),
      )
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toApproval);
  }

  async count(selection: ApprovalSelection): Promise<number> {
    const { count } = await selectApprovals(this.#unit.query(), selection)
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async settledNames(): Promise<{ tools: readonly string[]; approvers: readonly string[] }> {
    const distinct = async (column: "tool" | "decided_by") => {
      const rows = await selectApprovals(this.#unit.query(), { isSettled: true })
        .select(column)
        .distinct()
        .$if(column === "decided_by", (found) => found.where("state", "!=", "timed-out"))
        .where(column, "is not", null)
        .orderBy(column)
        .execute();
      return rows.map((row) => decodeText(Object.values(row)[0] ?? ""));
    };
    return { tools: await distinct("tool"), approvers: await distinct("decided_by") };
  }

  async decide(id: string, settlement: ApprovalSettlement): Promise<Approval | undefined> {
    const now = await this.#unit.clock();
    const decided = await this.#unit
      .query()
      .updateTable("approvals")
      .set({
        ...settlementColumns(settlement, now),
        answer:
          settlement.answer === undefined
            ? null
            : writeJson(settlement.answer, "approvals.answer", id),
        note: encodeOptionalText(settlement.note),
      })
      .where("id", "=", encodeText(id))
      .where("state", "=", "pending")
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    return decided === undefined ? undefined : toApproval(decided);
  }

  async extend(id: string, ms: number, latestMs: number): Promise<Approval | undefined> {
    const now = await this.#unit.clock();
    const found = await this.get(id);
    if (found?.state !== "pending" || found.expiresAt <= now) return undefined;
    const latest = Math.max(found.expiresAt, found.createdAt + latestMs);
    const extended = await this.#unit
      .query()
      .updateTable("approvals")
      .set({ expires_at: Math.max(found.expiresAt, Math.min(latest, now + ms)) })
      .where("id", "=", encodeText(found.id))
      .where("state", "=", "pending")
      .returningAll()
      .executeTakeFirst();
    return extended === undefined ? undefined : toApproval(extended);
  }

  async consume({ id, digest }: ApprovalUse): Promise<Approval | undefined> {
    const now = await this.#unit.clock();
    const consumed = await this.#unit
      .query()
      .updateTable("approvals")
      .set({ consumed_at: now })
      .where("id", "=", encodeText(id))
      .where("digest", "=", digest)
      .where("consumed_at", "is", null)
      .where((where) =>
        where.or([
          where("state", "in", ["allowed-once", "allowed-always"]),
          where.and([where("state", "=", "timed-out"), where("timeout_behavior", "=", "allow")]),
        ]),
      )
      .returningAll()
      .executeTakeFirst();
    return consumed === undefined ? undefined : toApproval(consumed);
  }

  async expire(): Promise<readonly Approval[]> {
    const now = await this.#unit.clock();
    const rows = await this.#unit
      .query()
      .updateTable("approvals")
      .set(settlementColumns({ state: "timed-out", by: "timeout", via: "timeout" }, now))
      .where("state", "=", "pending")
      .where("expires_at", "<=", now)
      .returningAll()
      .execute();
    return rows.map(toApproval);
  }

  async cancel(owner: ApprovalOwner, by: string): Promise<readonly Approval[]> {
    const now = await this.#unit.clock();
    let update = this.#unit
      .query()
      .updateTable("approvals")
      .set(settlementColumns({ state: "cancelled", by, via: "host" }, now))
      .where("state", "=", "pending");
    if ("id" in owner) {
      update = update.where("id", "=", encodeText(owner.id));
    } else if ("sessionKey" in owner) {
      update = update.where("session_key", "=", encodeText(owner.sessionKey));
    } else if ("runId" in owner) {
      update = update.where("run_id", "=", encodeText(owner.runId));
    } else {
      update = update.where("plugin_id", "=", encodeText(owner.pluginId));
    }
    return (await update.returningAll().execute()).map(toApproval);
  }

  async untilExpiry(): Promise<number | undefined> {
    const { next } = await this.#unit
      .query()
      .selectFrom("approvals")
      .select((column) => column.fn.min("expires_at").as("next"))
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow();
    if (next === null) return undefined;
    return Math.max(0, Number(next) - (await this.#unit.clock()));
  }

  async wasDenied(runId: string, digest: string, since = 0): Promise<boolean> {
    const found = await this.#unit
      .query()
      .selectFrom("approvals")
      .select("id")
      .where("run_id", "=", encodeText(runId))
      .where("digest", "=", digest)
      .where((where) =>
        where.or([
          where("state", "=", "denied"),
          where.and([where("state", "=", "timed-out"), where("timeout_behavior", "=", "deny")]),
        ]),
      )
      .where("decided_at", ">=", since)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async unnotified(): Promise<readonly { approval: Approval; attempts: number }[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("approvals")
      .selectAll()
      .where("plugin_id", "is not", null)
      .where("told_at", "is", null)
      .where("state", "!=", "pending")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map((row) => ({ approval: toApproval(row), attempts: Number(row.tell_attempts) }));
  }

  async recordNotification(id: string, succeeded: boolean): Promise<boolean> {
    const now = await this.#unit.clock();
    const recorded = await this.#unit
      .query()
      .updateTable("approvals")
      .set((column) => ({
        tell_attempts: column("tell_attempts", "+", 1),
        ...(succeeded ? { told_at: now, answer: null } : {}),
      }))
      .where("id", "=", encodeText(id))
      .where(({ eb }) => eb("told_at", "is", null))
      .returning("id")
      .executeTakeFirst();
    return recorded !== undefined;
  }

  async forgetAnswer(id: string): Promise<void> {
    await this.#unit
      .query()
      .updateTable("approvals")
      .set({ answer: null })
      .where("id", "=", encodeText(id))
      .execute();
  }
}

function settlementColumns({ state, by, via }: ApprovalSettlement, now: number) {
  return { state, decided_by: encodeText(by), decided_via: encodeText(via), decided_at: now };
}
