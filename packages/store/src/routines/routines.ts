import { defined } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { eraseOutcomes } from "../calls/erasure.js";
import { writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import type { Schema } from "../database/schema.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError, RowStateError } from "../errors.js";
import { type NewRoutine, type Routine, toRoutine } from "./routine.js";
import { type RoutineRuns, RoutineRunTable } from "./runs.js";

/** Changes of a routine. */
export interface RoutineChanges {
  readonly name?: string | undefined;
  readonly definition?: JsonObject | undefined;
  readonly scheduledFrom?: number | undefined;
  readonly enabled?: boolean | undefined;
  /** Null removes it. */
  readonly disabledReason?: string | null | undefined;
}

/** Routines: work at times that a schedule names. Nothing in them says when the next run is (JOB-026). */
export interface Routines {
  /** Their due times. */
  readonly runs: RoutineRuns;
  /**
   * Adds a routine.
   * @throws RowStateError when its ID, its session, or its name among those of its owner is taken
   */
  add(routine: NewRoutine): Promise<Routine>;
  get(routineId: string): Promise<Routine | undefined>;
  /** Returns the routine whose turns run in a session. */
  ofSession(sessionKey: string): Promise<Routine | undefined>;
  /**
   * Returns the routines with a name, or with an ID that begins with a text, at most two.
   * @param text - name, ID, or the beginning of an ID
   * @param owner - only routines of this sender; of all when absent
   */
  find(text: string, owner?: string): Promise<readonly Routine[]>;
  /**
   * Returns routines by name.
   * @param query - owner of the routines; all when absent
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  list(query: {
    readonly owner?: string | undefined;
    readonly limit: number;
  }): Promise<readonly Routine[]>;
  /** Returns the enabled routines. */
  enabled(): Promise<readonly Routine[]>;
  /** Returns the number of routines of a sender. */
  count(owner: string): Promise<number>;
  /**
   * Changes a routine.
   * @throws RowNotFoundError when it does not exist
   * @throws RowStateError when another routine of its owner has its new name
   */
  change(routineId: string, changes: RoutineChanges): Promise<Routine>;
  /**
   * Removes a routine with its due times.
   * @returns false when it does not exist
   */
  remove(routineId: string): Promise<boolean>;
}

type Where = (expressions: ExpressionBuilder<Schema, "routines">) => Expression<SqlBool>;

/** The routines of a database or transaction. */
export class RoutineTable implements Routines {
  readonly #unit: UnitOfWork;
  readonly runs: RoutineRuns;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
    this.runs = new RoutineRunTable(unit);
  }

  async add(routine: NewRoutine): Promise<Routine> {
    const { routineId, name } = routine;
    const now = await this.#unit.clock();
    const added = await this.#unit
      .query()
      .insertInto("routines")
      .values({
        routine_id: encodeText(routineId),
        name: encodeText(name),
        agent_id: encodeText(routine.agentId),
        session_key: encodeText(routine.sessionKey),
        owner: encodeText(routine.owner),
        creator: writeJson(routine.creator, "routines.creator", routineId),
        asked_in: encodeOptionalText(routine.askedIn),
        definition: writeJson(routine.definition, "routines.definition", routineId),
        scheduled_from: routine.scheduledFrom,
        enabled: Number(routine.enabled),
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added === undefined) throw nameTaken(`add(${routineId})`, name);
    return toRoutine(added);
  }

  async get(routineId: string): Promise<Routine | undefined> {
    return await this.#first(({ eb }) => eb("routine_id", "=", encodeText(routineId)));
  }

  async ofSession(sessionKey: string): Promise<Routine | undefined> {
    return await this.#first(({ eb }) => eb("session_key", "=", encodeText(sessionKey)));
  }

  async find(text: string, owner?: string): Promise<readonly Routine[]> {
    const rows = await this.#all(owner)
      .where(({ eb, or }) =>
        or([
          eb("name", "=", encodeText(text)),
          eb(sql`substr(routine_id, 1, ${text.length})`, "=", encodeText(text)),
        ]),
      )
      .orderBy("created_at")
      .limit(2)
      .execute();
    return rows.map(toRoutine);
  }

  async list({
    owner,
    limit,
  }: {
    readonly owner?: string | undefined;
    readonly limit: number;
  }): Promise<readonly Routine[]> {
    requireLimit("routines.list", limit);
    const rows = await this.#all(owner)
      .orderBy("name")
      .orderBy("routine_id")
      .limit(limit)
      .execute();
    return rows.map(toRoutine);
  }

  async enabled(): Promise<readonly Routine[]> {
    const rows = await this.#all().where("enabled", "=", 1).orderBy("created_at").execute();
    return rows.map(toRoutine);
  }

  async count(owner: string): Promise<number> {
    const { routines } = await this.#unit
      .query()
      .selectFrom("routines")
      .select(({ fn }) => fn.countAll<number>().as("routines"))
      .where("owner", "=", encodeText(owner))
      .executeTakeFirstOrThrow();
    return Number(routines);
  }

  async change(
    routineId: string,
    { name, definition, scheduledFrom, enabled, disabledReason }: RoutineChanges,
  ): Promise<Routine> {
    return await this.#unit.atomic(async (unit) => {
      const before = await new RoutineTable(unit).get(routineId);
      if (before === undefined) {
        const next = "list the routines to see their IDs";
        const call = `routines.change(${routineId})`;
        throw new RowNotFoundError(call, `routine ${routineId}`, next);
      }
      if (name !== undefined && name !== before.name) {
        const others = await new RoutineTable(unit).find(name, before.owner);
        const isTaken = others.some((other) => other.name === name);
        if (isTaken) throw nameTaken(`change(${routineId})`, name);
      }
      // The earlier task is deleted.
      if (definition !== undefined) {
        unit.erases();
        await eraseOutcomes(encodeText(before.sessionKey), unit);
      }
      const row = await unit
        .query()
        .updateTable("routines")
        .set({
          ...defined({
            name: name === undefined ? undefined : encodeText(name),
            definition: definition && writeJson(definition, "routines.definition", routineId),
            scheduled_from: scheduledFrom,
            enabled: enabled === undefined ? undefined : Number(enabled),
          }),
          ...(disabledReason === undefined
            ? {}
            : { disabled_reason: encodeOptionalText(disabledReason ?? undefined) }),
          updated_at: await unit.clock(),
        })
        .where("routine_id", "=", encodeText(routineId))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toRoutine(row);
    });
  }

  async remove(routineId: string): Promise<boolean> {
    return await this.#unit.atomic(async (unit) => {
      unit.erases();
      const removed = await unit
        .query()
        .deleteFrom("routines")
        .where("routine_id", "=", encodeText(routineId))
        .returning("session_key")
        .executeTakeFirst();
      if (removed === undefined) return false;
      await eraseOutcomes(removed.session_key, unit);
      return true;
    });
  }

  #all(owner?: string) {
    return this.#unit
      .query()
      .selectFrom("routines")
      .selectAll()
      .$if(owner !== undefined, (query) => query.where("owner", "=", encodeText(owner ?? "")));
  }

  async #first(where: Where): Promise<Routine | undefined> {
    const row = await this.#all().where(where).executeTakeFirst();
    return row && toRoutine(row);
  }
}

function nameTaken(call: string, name: string): RowStateError {
  const next = `remove the routine "${name}", or choose another name`;
  return new RowStateError(`routines.${call}`, "present", "absent", next);
}
