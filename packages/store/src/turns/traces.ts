import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { sql } from "kysely";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { TraceColumns } from "./schema.js";

/** Trace of the hooks over one segment of a run: up to its end or pause, or after that. */
export interface TraceSegment {
  readonly runId: string;
  /** Trace id of the message that the run answers; 32 hexadecimal digits. */
  readonly traceId: string;
  /** Span id of the run within the trace; 16 hexadecimal digits. */
  readonly spanId: string;
  /**
   * Hook dispatches in the order in which they ended, as JSON values; the store does not interpret
   * them.
   */
  readonly hooks: readonly object[];
}

/** A stored trace segment. */
export interface StoredTraceSegment extends TraceSegment {
  readonly hooks: readonly JsonObject[];
  /** Time at which it was written, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Traces of the hooks of runs, for diagnosis; retention removes them after days. */
export interface Traces {
  /**
   * Adds a segment of a run; call it in the transaction that ends the segment.
   * @throws RowDataError when a dispatch is not a JSON value
   */
  add(segment: TraceSegment): Promise<void>;
  /** Returns the segments of a run, in order. */
  of(runId: string): Promise<readonly StoredTraceSegment[]>;
}

/** The traces of a database or transaction. */
export class TraceTable implements Traces {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ runId, traceId, spanId, hooks }: TraceSegment): Promise<void> {
    await insertSegment(this.#unit, {
      run_id: encodeText(runId),
      trace_id: traceId,
      span_id: spanId,
      hooks: writeJson(hooks, "traces.hooks", runId),
      created_at: this.#unit.now(),
    });
  }

  async of(runId: string): Promise<readonly StoredTraceSegment[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("traces")
      .selectAll()
      .where("run_id", "=", encodeText(runId))
      .orderBy("segment")
      .execute();
    return rows.map((row) => ({
      runId: decodeText(row.run_id),
      traceId: row.trace_id,
      spanId: row.span_id,
      hooks: readJson(row.hooks, isObjectList, "traces.hooks", runId),
      createdAt: Number(row.created_at),
    }));
  }
}

const insertSegment = preparedQuery<Omit<TraceColumns, "segment">, unknown>((query, parameter) =>
  query.insertInto("traces").values({
    run_id: parameter("run_id"),
    segment: sql<number>`(select coalesce(max(segment), 0) + 1 from traces where run_id in (${parameter("run_id")}))`,
    trace_id: parameter("trace_id"),
    span_id: parameter("span_id"),
    hooks: parameter("hooks"),
    created_at: parameter("created_at"),
  }),
);

function isObjectList(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}
