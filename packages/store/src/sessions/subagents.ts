import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { type Selectable, sql } from "kysely";
import {
  isJsonObject,
  readJson,
  readOptionalJson,
  readOptionalWord,
  writeJson,
  writeOptionalJson,
} from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowConstraintError, RowNotFoundError, RowStateError } from "../errors.js";
import type { SubagentColumns } from "./schema.js";

const STOP_REASONS = ["timeout", "stopped"] as const;
const OUTCOMES = ["ok", "error", "timeout", "killed"] as const;

/** Reason for stopping a subagent before it answered: a timeout, or a request. */
export type SubagentStopReason = (typeof STOP_REASONS)[number];

/** Outcome of a subagent. */
export type SubagentOutcome = (typeof OUTCOMES)[number];

/** A subagent that a turn spawns. */
export interface NewSubagent {
  /** Run id of the subagent's turn. */
  readonly runId: string;
  /** Key of the subagent's session. */
  readonly sessionKey: string;
  readonly parentSessionKey: string;
  /** The turn that spawned it. */
  readonly parentRunId: string;
  /** 1 for a subagent of an agent, 2 for a subagent of such a subagent. */
  readonly depth: number;
  readonly label?: string | undefined;
  /** Names of the tools that the parent could use (POL-014). */
  readonly parentTools: readonly string[];
  /** The subagent's own list of tools, if any. */
  readonly tools?: readonly string[] | undefined;
  /** The conversation in which it was spawned. */
  readonly requester: JsonObject;
  /** Recipient of its answer, if a hook set one when it was spawned. */
  readonly deliveryOrigin?: JsonObject | undefined;
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** A stored subagent. Times are milliseconds since the epoch. */
export interface Subagent extends Omit<NewSubagent, "timeoutMs"> {
  readonly createdAt: number;
  /** Time at which it times out. */
  readonly deadlineAt?: number | undefined;
  readonly stopReason?: SubagentStopReason | undefined;
  /** Its answer. */
  readonly result?: string | undefined;
  /** Its outcome; absent while it is live. */
  readonly outcome?: SubagentOutcome | undefined;
  /** Reason why it did not answer. */
  readonly error?: string | undefined;
  /** Time at which its parent was notified of its end. */
  readonly settledAt?: number | undefined;
}

/** Subagents, from their spawn until their parent is notified of their end (TURN-052). */
export interface Subagents {
  /**
   * Adds a subagent; call it in the transaction that opens its session and queues its turn.
   * @throws RowNotFoundError when its session does not exist
   * @throws RowStateError when the run or session already belongs to a subagent
   */
  add(subagent: NewSubagent): Promise<Subagent>;
  /** Returns the subagent with a run id. */
  get(runId: string): Promise<Subagent | undefined>;
  /** Returns the subagent that a session belongs to. */
  ofSession(sessionKey: string): Promise<Subagent | undefined>;
  /**
   * Returns the newest subagents of a session, oldest first.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  childrenOf(parentSessionKey: string, options: { limit: number }): Promise<readonly Subagent[]>;
  /** Returns the live subagents of a session, or of all sessions; oldest first. */
  live(parentSessionKey?: string): Promise<readonly Subagent[]>;
  /**
   * Records that a subagent must stop, which happens once.
   * @returns false when that was already recorded, or the subagent is not live
   */
  stop(runId: string, reason: SubagentStopReason): Promise<boolean>;
  /** Stores the answer of a subagent; call it in the transaction that ends its turn. */
  keepResult(runId: string, text: string): Promise<void>;
  /**
   * Marks a subagent as ended, which happens once; call it in the transaction that notifies its
   * parent.
   * @returns false when it was already marked, or does not exist
   */
  settle(
    runId: string,
    end: { readonly outcome: SubagentOutcome; readonly error?: string | undefined },
  ): Promise<boolean>;
}

/** The subagents of a database or transaction. */
export class SubagentTable implements Subagents {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add(subagent: NewSubagent): Promise<Subagent> {
    const { runId, sessionKey, timeoutMs } = subagent;
    const call = `subagents.add(${runId})`;
    const now = await this.#unit.clock();
    const added = await this.#unit
      .query()
      .insertInto("subagents")
      .values({
        run_id: encodeText(runId),
        session_key: encodeText(sessionKey),
        parent_session_key: encodeText(subagent.parentSessionKey),
        parent_run_id: encodeText(subagent.parentRunId),
        depth: subagent.depth,
        label: encodeOptionalText(subagent.label),
        parent_tools: writeJson(subagent.parentTools, "subagents.parent_tools", runId),
        tools: writeOptionalJson(subagent.tools, "subagents.tools", runId),
        requester: writeJson(subagent.requester, "subagents.requester", runId),
        delivery_origin: writeOptionalJson(
          subagent.deliveryOrigin,
          "subagents.delivery_origin",
          runId,
        ),
        created_at: now,
        deadline_at: timeoutMs === undefined ? null : now + timeoutMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (!RowConstraintError.isInstance(error) || error.constraint !== "foreign-key") {
          throw error;
        }
        throw new RowNotFoundError(call, `session ${sessionKey}`, "open the session first");
      });
    if (added !== undefined) return toSubagent(added);
    throw new RowStateError(
      call,
      "present",
      "absent",
      "give each subagent its own run and session",
    );
  }

  async get(runId: string): Promise<Subagent | undefined> {
    const row = await this.#all().where("run_id", "=", encodeText(runId)).executeTakeFirst();
    return row === undefined ? undefined : toSubagent(row);
  }

  async ofSession(sessionKey: string): Promise<Subagent | undefined> {
    const row = await this.#all()
      .where("session_key", "=", encodeText(sessionKey))
      .executeTakeFirst();
    return row === undefined ? undefined : toSubagent(row);
  }

  async childrenOf(
    parentSessionKey: string,
    { limit }: { limit: number },
  ): Promise<readonly Subagent[]> {
    requireLimit("subagents.childrenOf", limit);
    const rows = await this.#all()
      .where("parent_session_key", "=", encodeText(parentSessionKey))
      .orderBy("position", "desc")
      .limit(limit)
      .execute();
    return rows.map(toSubagent).reverse();
  }

  async live(parentSessionKey?: string): Promise<readonly Subagent[]> {
    // A literal, so that the planner can use the partial index.
    let query = this.#all().where("settled_at", "is", sql.lit(null)).orderBy("position");
    if (parentSessionKey !== undefined) {
      query = query.where("parent_session_key", "=", encodeText(parentSessionKey));
    }
    return (await query.execute()).map(toSubagent);
  }

  async stop(runId: string, reason: SubagentStopReason): Promise<boolean> {
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("subagents")
      .set({ stop_reason: reason })
      .where("run_id", "=", encodeText(runId))
      .where("stop_reason", "is", null)
      .where("settled_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async keepResult(runId: string, text: string): Promise<void> {
    await this.#unit
      .query()
      .updateTable("subagents")
      .set({ result: encodeText(text) })
      .where("run_id", "=", encodeText(runId))
      .execute();
  }

  async settle(
    runId: string,
    { outcome, error }: { readonly outcome: SubagentOutcome; readonly error?: string | undefined },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("subagents")
      .set({ outcome, error: encodeOptionalText(error), settled_at: this.#unit.now() })
      .where("run_id", "=", encodeText(runId))
      .where("settled_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  #all() {
    return this.#unit.query().selectFrom("subagents").selectAll();
  }
}

function toSubagent(row: Selectable<SubagentColumns>): Subagent {
  const runId = decodeText(row.run_id);
  return {
    runId,
    sessionKey: decodeText(row.session_key),
    parentSessionKey: decodeText(row.parent_session_key),
    parentRunId: decodeText(row.parent_run_id),
    depth: row.depth,
    label: decodeOptionalText(row.label),
    parentTools: readJson(row.parent_tools, isNames, "subagents.parent_tools", runId),
    tools: readOptionalJson(row.tools, isNames, "subagents.tools", runId),
    requester: readJson(row.requester, isJsonObject, "subagents.requester", runId),
    deliveryOrigin: readOptionalJson(
      row.delivery_origin,
      isJsonObject,
      "subagents.delivery_origin",
      runId,
    ),
    createdAt: row.created_at,
    deadlineAt: row.deadline_at ?? undefined,
    stopReason: readOptionalWord(row.stop_reason, STOP_REASONS, "subagents.stop_reason", runId),
    result: decodeOptionalText(row.result),
    outcome: readOptionalWord(row.outcome, OUTCOMES, "subagents.outcome", runId),
    error: decodeOptionalText(row.error),
    settledAt: row.settled_at ?? undefined,
  };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
