import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { ExpressionBuilder, Selectable } from "kysely";
import { isJsonValue, readJson } from "../database/json-column.js";
import { jsonText } from "../database/json-text.js";
import type { Schema } from "../database/schema.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowDataError } from "../errors.js";
import type { CallColumns } from "./schema.js";

/** Maximum size of a kept outcome, in bytes of JSON. */
const MAXIMUM_OUTCOME_BYTES = 256 * 1024;

/** Caller and idempotency key, which identify a call. */
export interface CallKey {
  /** Name of the caller's token. */
  readonly callerId: string;
  readonly key: string;
}

/** Call of a client that changes something. */
export interface NewCall extends CallKey {
  readonly method: string;
  /** SHA-256 of the parameters, in hex; the parameters are not kept. */
  readonly digest: string;
}

/** Begin of a call. */
export interface CallBegin extends NewCall {
  /** True to execute it again when the process that began it is gone; one process alone does so. */
  readonly isRepeatable?: boolean | undefined;
}

/**
 * Known state of a call: `running` while another node that lives executes it; `begun` when its process has stored no
 * outcome and is not such a node; `oversized` when the outcome was too large to keep;
 * `erased` when a text that it may contain was deleted.
 */
export type CallState =
  | { readonly state: "begun" | "oversized" | "erased" }
  | { readonly state: "running"; readonly nodeId: string }
  | { readonly state: "succeeded" | "failed"; readonly outcome: JsonValue };

/** Stored call. */
export type StoredCall = NewCall & CallState;

/** Calls of clients with an idempotency key, kept for a day unless the configuration sets another time. */
export interface Calls {
  /**
   * Stores the begin of a call, unless a call with its key is stored.
   * @returns the stored call with this key; undefined when this one is new, or is repeated
   */
  begin(call: CallBegin): Promise<StoredCall | undefined>;
  /**
   * Returns a stored call, for a process that waits for the outcome of another one.
   * @param key - caller and key
   */
  get(key: CallKey): Promise<StoredCall | undefined>;
  /**
   * Stores the outcome of a call, unless another node has taken it over. One of more than 256 KiB is not kept.
   * @param key - caller and key
   * @param state - `succeeded` with the result, or `failed` with the error on the wire
   * @param outcome - result or error
   * @throws RowDataError when the outcome is not a JSON value
   */
  settle(key: CallKey, state: "succeeded" | "failed", outcome: JsonValue): Promise<void>;
  /**
   * Removes a call that had no effect, so that a repeat is executed, unless another node has taken it over.
   * @param key - caller and key
   */
  forget(key: CallKey): Promise<void>;
}

/** The calls of a database or transaction. */
export class CallTable implements Calls {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async begin(call: CallBegin): Promise<StoredCall | undefined> {
    for (;;) {
      const begun = await this.#unit.atomic((unit) => beginOrFind(unit, call));
      // One that was forgotten between the two statements is begun anew.
      if (begun !== "forgotten") return begun;
    }
  }

  async get(key: CallKey): Promise<StoredCall | undefined> {
    const found = await find(this.#unit, key);
    return found && storedCall(found, this.#unit);
  }

  async settle(key: CallKey, state: "succeeded" | "failed", outcome: JsonValue): Promise<void> {
    const text = jsonText(outcome);
    if (text instanceof Error) {
      throw new RowDataError(`calls.settle(${key.key}): expected a JSON value: ${text.message}`);
    }
    const isKept = Buffer.byteLength(text) <= MAXIMUM_OUTCOME_BYTES;
    await this.#unit
      .query()
      .updateTable("calls")
      .set({
        ...(isKept ? { state, outcome: text } : { state: "oversized", outcome: null }),
        settled_at: this.#unit.now(),
      })
      .where((where) => where.and(columnsOf(key)))
      .where(isOf(this.#unit.nodeId))
      .execute();
  }

  async forget(key: CallKey): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("calls")
      .where((where) => where.and(columnsOf(key)))
      .where(isOf(this.#unit.nodeId))
      .execute();
  }
}

function columnsOf({ callerId, key }: CallKey) {
  return { caller_id: encodeText(callerId), idempotency_key: encodeText(key) };
}

/** Condition on the node of a call. */
function isOf(nodeId: string | null | undefined) {
  return ({ eb }: ExpressionBuilder<Schema, "calls">) =>
    nodeId === undefined || nodeId === null
      ? eb("node_id", "is", null)
      : eb("node_id", "=", nodeId);
}

async function beginOrFind(
  unit: UnitOfWork,
  call: CallBegin,
): Promise<StoredCall | "forgotten" | undefined> {
  const begun = { begun_at: await unit.clock(), node_id: unit.nodeId ?? null };
  const created = await unit
    .query()
    .insertInto("calls")
    .values({
      ...columnsOf(call),
      method: encodeText(call.method),
      digest: encodeText(call.digest),
      state: "begun",
      ...begun,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("method")
    .executeTakeFirst();
  if (created !== undefined) return undefined;
  const row = await find(unit, call);
  if (row === undefined) return "forgotten";
  const known = storedCall(row, unit);
  const isSame = known.method === call.method && known.digest === call.digest;
  if (known.state !== "begun" || call.isRepeatable !== true || !isSame) return known;
  // Of several nodes that find it left, the first takes it over.
  const { numUpdatedRows } = await unit
    .query()
    .updateTable("calls")
    .set(begun)
    .where((where) => where.and(columnsOf(call)))
    .where("state", "=", "begun")
    .where(isOf(row.node_id))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? "forgotten" : undefined;
}

/** Reads a call, with its node as `live_node` while that node reports in time. */
async function find(unit: UnitOfWork, key: CallKey): Promise<FoundCall | undefined> {
  const { caller_id, idempotency_key } = columnsOf(key);
  const now = await unit.clock();
  return await unit
    .query()
    .selectFrom("calls")
    .leftJoin("nodes", (join) =>
      join.onRef("nodes.node_id", "=", "calls.node_id").on("nodes.expires_at", ">", now),
    )
    .selectAll("calls")
    .select("nodes.node_id as live_node")
    .where("caller_id", "=", caller_id)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
}

type FoundCall = Selectable<CallColumns> & { readonly live_node: string | null };

function storedCall(row: FoundCall, { nodeId }: UnitOfWork): StoredCall {
  const call = {
    callerId: decodeText(row.caller_id),
    key: decodeText(row.idempotency_key),
    method: decodeText(row.method),
    digest: decodeText(row.digest),
  };
  const { state, outcome } = row;
  if ((state === "succeeded" || state === "failed") && outcome !== null) {
    const value = readJson(outcome, isJsonValue, "calls.outcome", call.key);
    return { ...call, state, outcome: value };
  }
  if (state === "oversized" || state === "erased") return { ...call, state };
  const isElsewhere = row.live_node !== null && row.live_node !== nodeId;
  return isElsewhere
    ? { ...call, state: "running", nodeId: row.live_node }
    : { ...call, state: "begun" };
}
