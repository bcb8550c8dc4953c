import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isJsonValue, readJson } from "../database/json-column.js";
import { jsonText } from "../database/json-text.js";
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

/**
 * Known state of a call: `begun` until its outcome is stored; `oversized` when the outcome was too large to keep;
 * `erased` when a text that it may contain was deleted.
 */
export type CallState =
  | { readonly state: "begun" | "oversized" | "erased" }
  | { readonly state: "succeeded" | "failed"; readonly outcome: JsonValue };

/** Stored call. */
export type StoredCall = NewCall & CallState;

/** Calls of clients with an idempotency key, kept for a day unless the configuration sets another time. */
export interface Calls {
  /**
   * Stores the begin of a call, unless a call with its key is stored.
   * @returns the stored call with this key; undefined when this one is new
   */
  begin(call: NewCall): Promise<StoredCall | undefined>;
  /**
   * Stores the outcome of a call. One of more than 256 KiB is not kept.
   * @param key - caller and key
   * @param state - `succeeded` with the result, or `failed` with the error on the wire
   * @param outcome - result or error
   * @throws RowDataError when the outcome is not a JSON value
   */
  settle(key: CallKey, state: "succeeded" | "failed", outcome: JsonValue): Promise<void>;
  /**
   * Removes a call that had no effect, so that a repeat is executed.
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

  async begin(call: NewCall): Promise<StoredCall | undefined> {
    return await this.#unit.atomic(async (unit) => {
      const created = await unit
        .query()
        .insertInto("calls")
        .values({
          ...columnsOf(call),
          method: encodeText(call.method),
          digest: encodeText(call.digest),
          state: "begun",
          begun_at: await unit.clock(),
          node_id: unit.nodeId ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning("method")
        .executeTakeFirst();
      if (created !== undefined) return undefined;
      const known = await unit
        .query()
        .selectFrom("calls")
        .selectAll()
        .where((where) => where.and(columnsOf(call)))
        .executeTakeFirstOrThrow();
      return storedCall(known);
    });
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
      .execute();
  }

  async forget(key: CallKey): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("calls")
      .where((where) => where.and(columnsOf(key)))
      .execute();
  }
}

function columnsOf({ callerId, key }: CallKey) {
  return { caller_id: encodeText(callerId), idempotency_key: encodeText(key) };
}

function storedCall(row: Selectable<CallColumns>): StoredCall {
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
  return { ...call, state: state === "oversized" || state === "erased" ? state : "begun" };
}
