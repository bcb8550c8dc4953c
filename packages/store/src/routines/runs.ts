import { writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import {
  type NewRoutineRun,
  type RoutineDelivery,
  type RoutineRun,
  type RoutineRunState,
  toRoutineRun,
} from "./routine.js";

/** Names one due time. */
export type RoutineRunKey = Pick<RoutineRun, "routineId" | "plannedAt">;

/** States of a run that has been done, whatever its end. */
const DONE = ["ok", "attention", "failed"] as const;

/** Selects due times of a routine. */
export interface RoutineRunQuery {
  readonly routineId: string;
  readonly limit: number;
  /** True for runs that were done only. */
  readonly isDone?: boolean | undefined;
  /** First due time, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** End of the due times, exclusive. */
  readonly to?: number | undefined;
}

/** The due times of routines: each is one row, unique on the routine and the planned time (JOB-026). */
export interface RoutineRuns {
  /**
   * Stores a due time.
   * @returns undefined when it, its identity or its proof is stored already
   */
  claim(run: NewRoutineRun): Promise<RoutineRun | undefined>;
  get(key: RoutineRunKey): Promise<RoutineRun | undefined>;
  /**
   * Returns the run that an earlier request with the same identity or proof set off.
   * @param keys - identity and proof
   */
  repeated(
    routineId: string,
    keys: Pick<NewRoutineRun, "identity" | "proof">,
  ): Promise<RoutineRun | undefined>;
  /** Returns the run on which a turn works. */
  ofTurn(runId: string): Promise<RoutineRun | undefined>;
  /**
   * Marks a due time as running.
   * @param work - turn or job that works on it
   * @returns false when it has ended, or does not exist
   */
  start(key: RoutineRunKey, work: Pick<RoutineRun, "runId" | "jobId">): Promise<boolean>;
  /** Stores the reply of a turn; call it in the transaction that ends the turn. */
  keepAnswer(runId: string, text: string): Promise<void>;
  /**
   * Stores the final status of a due time, once.
   * @returns undefined when that is stored already, or the due time does not exist
   */
  end(
    key: RoutineRunKey,
    end: {
      readonly state: Exclude<RoutineRunState, "queued" | "running">;
      readonly reason?: string | undefined;
      readonly answer?: string | undefined;
    },
  ): Promise<RoutineRun | undefined>;
  /**
   * Erases the text that set a run off, because a gate blocked it (TURN-024). Does nothing when the due time does not exist.
   */
  eraseText(key: RoutineRunKey): Promise<void>;
  /**
   * Stores the delivery of a result, once.
   * @returns false when it is stored already
   */
  deliver(key: RoutineRunKey, delivery: RoutineDelivery): Promise<boolean>;
  /** Returns the last due time of the schedule that is stored; undefined when there is none. */
  lastPlanned(routineId: string): Promise<number | undefined>;
  /**
   * Returns due times of a routine, newest first.
   * @param query - routine, period of the due times, and whether only runs that were done are wanted
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  of(query: RoutineRunQuery): Promise<readonly RoutineRun[]>;
  /** Returns the due times with something left to do, oldest first: to be run, running, and to be delivered. */
  unsettled(): Promise<readonly RoutineRun[]>;
}

/** The due times of a database or transaction. */
export class RoutineRunTable implements RoutineRuns {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async claim({
    routineId,
    plannedAt,
    origin,
    state,
    reason,
    input,
    identity,
    proof,
  }: NewRoutineRun): Promise<RoutineRun | undefined> {
    const now = await this.#unit.clock();
    const isOpen = state === "queued" || state === "running";
    const row = await this.#unit
      .query()
      .insertInto("routine_runs")
      .values({
        routine_id: encodeText(routineId),
        planned_at: plannedAt,
        ...{ origin, state, reason: encodeOptionalText(reason) },
        created_at: now,
        ended_at: isOpen ? null : now,
        input: input === undefined ? null : writeJson(input, "routine_runs.input", routineId),
        identity: encodeOptionalText(identity),
        proof: encodeOptionalText(proof),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    return row && toRoutineRun(row);
  }

  async get(key: RoutineRunKey): Promise<RoutineRun | undefined> {
    const row = await this.#all()
      .where("routine_id", "=", encodeText(key.routineId))
      .where("planned_at", "=", key.plannedAt)
      .executeTakeFirst();
    return row && toRoutineRun(row);
  }

  async repeated(
    routineId: string,
    { identity, proof }: Pick<NewRoutineRun, "identity" | "proof">,
  ): Promise<RoutineRun | undefined> {
    for (const [column, key] of [
      ["identity", identity],
      ["proof", proof],
    ] as const) {
      if (key === undefined) continue;
      const row = await this.#all()
        .where("routine_id", "=", encodeText(routineId))
        .where(column, "=", encodeText(key))
        .executeTakeFirst();
      if (row !== undefined) return toRoutineRun(row);
    }
    return undefined;
  }

  async ofTurn(runId: string): Promise<RoutineRun | undefined> {
    const row = await this.#all().where("run_id", "=", encodeText(runId)).executeTakeFirst();
    return row && toRoutineRun(row);
  }

  async start(
    key: RoutineRunKey,
    { runId, jobId }: Pick<RoutineRun, "runId" | "jobId">,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#change(key)
      .set({
        state: "running",
        run_id: encodeOptionalText(runId),
        job_id: encodeOptionalText(jobId),
        started_at: await this.#unit.clock(),
      })
      .where("state", "in", ["queued", "running"])
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async keepAnswer(runId: string, text: string): Promise<void> {
    await this.#unit
      .query()
      .updateTable("routine_runs")
      .set({ answer: encodeText(text) })
      .where("run_id", "=", encodeText(runId))
      .execute();
  }

  async end(
    key: RoutineRunKey,
    {
      state,
      reason,
      answer,
    }: {
      readonly state: Exclude<RoutineRunState, "queued" | "running">;
      readonly reason?: string | undefined;
      readonly answer?: string | undefined;
    },
  ): Promise<RoutineRun | undefined> {
    const row = await this.#change(key)
      .set({
        ...{ state, reason: encodeOptionalText(reason) },
        ...(answer === undefined ? {} : { answer: encodeText(answer) }),
        ended_at: await this.#unit.clock(),
      })
      .where("state", "in", ["queued", "running"])
      .returningAll()
      .executeTakeFirst();
    return row && toRoutineRun(row);
  }

  async eraseText(key: RoutineRunKey): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      unit.erases();
      await new RoutineRunTable(unit).#change(key).set({ input: null }).execute();
    });
  }

  async deliver(key: RoutineRunKey, delivery: RoutineDelivery): Promise<boolean> {
    const { numUpdatedRows } = await this.#change(key)
      .set({ delivery: writeJson(delivery, "routine_runs.delivery", key.routineId) })
      .where("delivery", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async lastPlanned(routineId: string): Promise<number | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("routine_runs")
      .select("planned_at")
      .where("routine_id", "=", encodeText(routineId))
      .where("origin", "=", "schedule")
      .orderBy("planned_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row?.planned_at;
  }

  async of({
    routineId,
    limit,
    isDone = false,
    from,
    to,
  }: RoutineRunQuery): Promise<readonly RoutineRun[]> {
    requireLimit("routines.runs.of", limit);
    const rows = await this.#all()
      .where("routine_id", "=", encodeText(routineId))
      .$if(isDone, (query) => query.where("state", "in", [...DONE]))
      .$if(from !== undefined, (query) => query.where("planned_at", ">=", from ?? 0))
      .$if(to !== undefined, (query) => query.where("planned_at", "<", to ?? 0))
      .orderBy("planned_at", "desc")
      .limit(limit)
      .execute();
    return rows.map(toRoutineRun);
  }

  async unsettled(): Promise<readonly RoutineRun[]> {
    const rows = await this.#all()
      .where("state", "in", ["queued", "running", ...DONE])
      .where("delivery", "is", null)
      .orderBy("planned_at")
      .orderBy("routine_id")
      .execute();
    return rows.map(toRoutineRun);
  }

  #all() {
    return this.#unit.query().selectFrom("routine_runs").selectAll();
  }

  #change({ routineId, plannedAt }: RoutineRunKey) {
    return this.#unit
      .query()
      .updateTable("routine_runs")
      .where("routine_id", "=", encodeText(routineId))
      .where("planned_at", "=", plannedAt);
  }
}
