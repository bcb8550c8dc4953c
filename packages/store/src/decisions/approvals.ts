import { requireLimit } from "../database/row-limit.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowDataError } from "../errors.js";
import {
  type Approval,
  type ApprovalState,
  columnsOfApproval,
  type NewApproval,
  toApproval,
} from "./approval.js";
import { codeOf, newCode } from "./approval-code.js";

const CODE_ATTEMPTS = 20;

/** How a question is settled, and by whom. */
export interface ApprovalSettlement {
  readonly state: Exclude<ApprovalState, "pending">;
  /** Who decided, for example `terminal:local`. */
  readonly by: string;
  /** The way the decision came, for example `terminal`, `http` or `timeout`. */
  readonly via: string;
}

/** Whose questions are meant. */
export type ApprovalOwner =
  | { readonly sessionKey: string }
  | { readonly runId: string }
  | { readonly pluginId: string };

/** Which questions to list. */
export interface ApprovalFilter {
  readonly state?: ApprovalState | undefined;
  /** True for those that are no longer pending, false for those that are. */
  readonly isSettled?: boolean | undefined;
  readonly sessionKey?: string | undefined;
  readonly runId?: string | undefined;
  /** How many at most, 100 when absent. */
  readonly limit?: number | undefined;
}

/** What is to begin under an answer. */
export interface ApprovalUse {
  readonly id: string;
  /** Of what is to run, made anew. */
  readonly digest: string;
}

/**
 * Questions to people. Every change is one conditional update: of several who try, from any process,
 * exactly one changes the row (APPR-009, APPR-010).
 */
export interface Approvals {
  /** Stores a question as pending. */
  create(approval: NewApproval): Promise<Approval>;
  /**
   * Finds a question.
   * @param idOrCode - its id, or its code in any letter case; of several that had a code the newest
   */
  get(idOrCode: string): Promise<Approval | undefined>;
  /** The pending questions of a session, oldest first. */
  pending(sessionKey: string): Promise<readonly Approval[]>;
  /**
   * Questions, newest first.
   * @throws StoreArgumentError for a limit that is no whole number from 1
   */
  list(filter?: ApprovalFilter): Promise<readonly Approval[]>;
  /**
   * Settles a question that is pending and not past its time.
   * @returns the question as settled, or undefined when it was no longer open
   */
  decide(id: string, settlement: ApprovalSettlement): Promise<Approval | undefined>;
  /**
   * Takes the one execution that an answer allows; call it in the transaction that journals the intent.
   * @returns the question, or undefined when it allows none, was used, or is bound to something else
   */
  consume(use: ApprovalUse): Promise<Approval | undefined>;
  /**
   * Settles every pending question whose time has passed.
   * @returns those that this call settled
   */
  expire(): Promise<readonly Approval[]>;
  /**
   * Settles every pending question of an owner as cancelled.
   * @param owner - whose
   * @param by - what cancelled them, for example `interrupt`
   * @returns those that this call settled
   */
  cancel(owner: ApprovalOwner, by: string): Promise<readonly Approval[]>;
  /** How long until the next pending question's time passes, in milliseconds; undefined when none waits. */
  untilExpiry(): Promise<number | undefined>;
  /**
   * Whether a run was refused the same thing before (APPR-016).
   * @param since - refusals before this time do not count, milliseconds since the epoch
   */
  wasRefused(runId: string, digest: string, since?: number): Promise<boolean>;
  /** Settled questions of plugins that nobody has told the plugin of yet, with the attempts made. */
  untold(): Promise<readonly { approval: Approval; attempts: number }[]>;
  /**
   * Notes an attempt to tell a plugin of an answer.
   * @param told - whether it succeeded; then it is not told again
   */
  noteTelling(id: string, told: boolean): Promise<void>;
}

/** The questions of a database or transaction. */
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
      `approvals.create: ${CODE_ATTEMPTS} codes in a row were taken; answer some of the pending approvals first`,
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

  async list(filter: ApprovalFilter = {}): Promise<readonly Approval[]> {
    const { state, isSettled, sessionKey, runId, limit = 100 } = filter;
    requireLimit("approvals.list", limit);
    let query = this.#unit.query().selectFrom("approvals").selectAll();
    if (state !== undefined) query = query.where("state", "=", state);
    if (isSettled !== undefined) query = query.where("state", isSettled ? "!=" : "=", "pending");
    if (sessionKey !== undefined) query = query.where("session_key", "=", encodeText(sessionKey));
    if (runId !== undefined) query = query.where("run_id", "=", encodeText(runId));
    const newestFirst = query.orderBy("created_at", "desc").orderBy("id", "desc");
    return (await newestFirst.limit(limit).execute()).map(toApproval);
  }

  async decide(id: string, settlement: ApprovalSettlement): Promise<Approval | undefined> {
    const now = await this.#unit.clock();
    const decided = await this.#unit
      .query()
      .updateTable("approvals")
      .set(settlementColumns(settlement, now))
      .where("id", "=", encodeText(id))
      .where("state", "=", "pending")
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    return decided === undefined ? undefined : toApproval(decided);
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
    if ("sessionKey" in owner) {
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

  async wasRefused(runId: string, digest: string, since = 0): Promise<boolean> {
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

  async untold(): Promise<readonly { approval: Approval; attempts: number }[]> {
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

  async noteTelling(id: string, told: boolean): Promise<void> {
    const now = await this.#unit.clock();
    await this.#unit
      .query()
      .updateTable("approvals")
      .set((column) => ({
        tell_attempts: column("tell_attempts", "+", 1),
        told_at: told ? now : undefined,
      }))
      .where("id", "=", encodeText(id))
      .execute();
  }
}

function settlementColumns({ state, by, via }: ApprovalSettlement, now: number) {
  return { state, decided_by: encodeText(by), decided_via: encodeText(via), decided_at: now };
}
