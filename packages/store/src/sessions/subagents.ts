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

/** Why a child was ended before its answer: its time was over, or somebody ended it. */
export type SubagentStopReason = (typeof STOP_REASONS)[number];

/** How a child ended. */
export type SubagentOutcome = (typeof OUTCOMES)[number];

/** A child session that a turn asks for. */
export interface NewSubagent {
  /** The child's turn. */
  readonly runId: string;
  /** The child's session. */
  readonly sessionKey: string;
  readonly parentSessionKey: string;
  /** The turn that asked for it. */
  readonly parentRunId: string;
  /** 1 for a child of an agent itself, 2 for the child of such a child. */
  readonly depth: number;
  readonly label?: string | undefined;
  /** Names of the tools that the parent could use (POL-014). */
  readonly parentTools: readonly string[];
  /** The child's own list of tools, if it has one. */
  readonly tools?: readonly string[] | undefined;
  /** The conversation in which it was asked for. */
  readonly requester: JsonObject;
  /** Where its answer is to go, if a hook said so at its spawn. */
  readonly deliveryOrigin?: JsonObject | undefined;
  /** Time it has, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** A stored child. Times are milliseconds since the epoch. */
export interface Subagent extends Omit<NewSubagent, "timeoutMs"> {
  readonly createdAt: number;
  /** When its time is over. */
  readonly deadlineAt?: number | undefined;
  readonly stopReason?: SubagentStopReason | undefined;
  /** What it answered. */
  readonly result?: string | undefined;
  /** How it ended; absent while it lives. */
  readonly outcome?: SubagentOutcome | undefined;
  /** Why it came to no answer. */
  readonly error?: string | undefined;
  /** When its parent was told of its end. */
  readonly settledAt?: number | undefined;
}

/** Child sessions, from their spawn until their parent is told of their end (TURN-052). */
export interface Subagents {
  /**
   * Adds a child; call it in the transaction that opens its session and queues its turn.
   * @throws RowNotFoundError when its session does not exist
   * @throws RowStateError when the run or session is a child's already
   */
  add(subagent: NewSubagent): Promise<Subagent>;
  /** The child with a run id. */
  get(runId: string): Promise<Subagent | undefined>;
  /** The child that a session belongs to. */
  ofSession(sessionKey: string): Promise<Subagent | undefined>;
  /**
   * The newest children of a session, oldest first.
   * @throws StoreArgumentError when `limit` is no whole number from 1
   */
  childrenOf(parentSessionKey: string, options: { limit: number }): Promise<readonly Subagent[]>;
  /** The children of a session that live, or every one that lives; oldest first. */
  live(parentSessionKey?: string): Promise<readonly Subagent[]>;
  /**
   * Notes that a child is to end, which happens once.
   * @returns false when it was noted before, or the child does not live
   */
  stop(runId: string, reason: SubagentStopReason): Promise<boolean>;
  /** Keeps what a child answered; call it in the transaction that ends its turn. */
  keepResult(runId: string, text: string): Promise<void>;
  /**
   * Marks a child as ended, which happens once; call it in the transaction that tells its parent.
   * @returns false when it was marked before, or there is none
   */
  settle(
    runId: string,
    end: { readonly outcome: SubagentOutcome; readonly error?: string | undefined },
  ): Promise<boolean>;
}

/** The children of a database or transaction. */
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
    throw new RowStateError(call, "present", "absent", "give each child a run and session its own");
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
    // A literal, so that the planner sees that the small index will do.
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
