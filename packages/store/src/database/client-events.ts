import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { readSealed, storedStep } from "../turns/stored-steps.js";
import { decodeOptionalText, decodeText, encodeOptionalText, encodeText } from "./text-column.js";
import type { UnitOfWork } from "./unit-of-work.js";

/** Name of the log of the events of clients. */
const LOG = "clients";
/** Most events that are read at once. */
const BATCH = 500;
/** Most events that one statement removes (SCALE-029). */
const REMOVED = 500;
/** Time after the expiry of a node in which the others learn that it is gone. */
const GONE_MS = 10 * 60_000;

/** An event for the clients of every node. */
export interface NewClientEvent {
  /** Identifies the event; only the first with a key is stored. */
  readonly key: string;
  readonly name: string;
  readonly scope: string;
  readonly sessionKey?: string | undefined;
  /** Payload as JSON. */
  readonly json: string;
}

/** A stored event. */
export interface ClientEvent extends NewClientEvent {
  /** Its place among all events, without gaps. */
  readonly position: number;
  /** Time at which it was stored, in milliseconds since the epoch. */
  readonly at: number;
}

/** Events after a position, and the state of the log and the nodes. */
export interface ReadEvents {
  /** Changes when the positions begin again, so that an earlier position means nothing. */
  readonly epoch: string;
  /** Position of the newest event. */
  readonly newest: number;
  /** Oldest first; at most 500. */
  readonly events: readonly ClientEvent[];
  /** True if another node lives. */
  readonly hasOthers: boolean;
  /** IDs of the nodes that ended without leaving in the last 10 minutes. */
  readonly gone: readonly string[];
}

/** The events that the clients of the nodes of a PostgreSQL database receive, in one order for all of them (SCALE-020). */
export interface ClientEvents {
  /**
   * Begins the log again if no other node lives: a database that was restored has positions that clients know for other
   * events.
   */
  begin(): Promise<void>;
  /**
   * Stores events, in order, after all that are stored. Those whose key is stored are left out.
   * @param events - at most 500
   * @throws StoreUnavailableError; the same events can be given again
   */
  append(events: readonly NewClientEvent[]): Promise<void>;
  /**
   * Reads events.
   * @param position - position of the last event that is known
   */
  after(position: number): Promise<ReadEvents>;
  /**
   * Begins another epoch, because the database has gone back to an earlier state, in which other events get the positions
   * that clients know.
   * @param epoch - epoch that no longer counts
   * @returns the epoch from now on, which another node may have begun
   */
  renew(epoch: string): Promise<string>;
  /**
   * Removes old events.
   * @param events - number of events to keep
   * @param ageMs - age in milliseconds from which none is kept
   */
  trim(events: number, ageMs: number): Promise<void>;
}

function newEpoch(): string {
  return randomBytes(6).toString("hex");
}

const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The events of a PostgreSQL database; a host that has its database alone keeps them in memory. */
export class ClientEventTable implements ClientEvents {
  readonly #unit: UnitOfWork;

  /** @param unit - the database */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async begin(): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const other = await unit
        .query()
        .selectFrom("nodes")
        .select("node_id")
        .where("expires_at", ">", NOW)
        .where("node_id", "!=", unit.nodeId ?? "")
        .limit(1)
        .executeTakeFirst();
      const known = await unit.query().selectFrom("event_log").select("epoch").executeTakeFirst();
      if (known !== undefined && other !== undefined) return;
      const fresh = { epoch: newEpoch(), position: 0 };
      await unit.query().deleteFrom("client_events").execute();
      await unit
        .query()
        .insertInto("event_log")
        .values({ name: LOG, ...fresh })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(fresh))
        .execute();
    });
  }

  async append(events: readonly NewClientEvent[]): Promise<void> {
    const rows = events.map(({ key, name, scope, sessionKey, json }, place) => ({
      place,
      event_key: encodeText(key),
      ...{ name: encodeText(name), scope, session_key: encodeOptionalText(sessionKey) },
      payload: storedStep(json, encodeText(key), this.#unit),
    }));
    // As a selection it is not one of the writers, which wait for each other. The lock of the row of the log lasts until the
    // commit, so that a lower position is never visible later.
    await this.#unit
      .query()
      .with(
        "fresh",
        () => sql<{
          count: number;
        }>`(select given.event_key, given.name, given.scope, given.session_key, given.payload,
            row_number() over (order by given.place) as number
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as given (place int, event_key text, name text, scope text, session_key text, payload text)
          where not exists (select 1 from client_events where event_key = given.event_key))`,
      )
      .with(
        "taken",
        () => sql<{
          position: number;
        }>`(update event_log set position = position + (select count(*) from fresh)
          where name = ${LOG} returning position)`,
      )
      .with(
        "added",
        () => sql<{
          position: number;
        }>`(insert into client_events (position, event_key, name, scope, session_key, payload, created_at)
          select taken.position - (select count(*) from fresh) + fresh.number, fresh.event_key, fresh.name,
            fresh.scope, fresh.session_key, fresh.payload, ${NOW}
          from fresh, taken returning position)`,
      )
      .selectFrom("added")
      .select(({ fn }) => fn.countAll().as("count"))
      .execute();
  }

  async after(position: number): Promise<ReadEvents> {
    const own = this.#unit.nodeId ?? "";
    // The state is read first: events that are stored meanwhile are read in addition.
    const state = await this.#unit
      .query()
      .selectFrom("event_log")
      .select((inner) => [
        "epoch",
        "position",
        inner
          .selectFrom("nodes")
          .select(sql<string>`coalesce(string_agg(node_id, ','), '')`.as("live"))
          .where("expires_at", ">", NOW)
          .where("node_id", "!=", own)
          .as("live"),
        inner
          .selectFrom("nodes")
          .select(sql<string>`coalesce(string_agg(node_id, ','), '')`.as("gone"))
          .where("expires_at", "<=", NOW)
          .where("expires_at", ">", sql<number>`${NOW} - ${GONE_MS}::bigint`)
          .as("gone"),
      ])
      .where("name", "=", LOG)
      .executeTakeFirstOrThrow();
    const rows =
      state.position <= position
        ? []
        : await this.#unit
            .query()
            .selectFrom("client_events")
            .select([
              "position",
              "event_key",
              "name",
              "scope",
              "session_key",
              "payload",
              "created_at",
            ])
            .where("position", ">", position)
            .orderBy("position")
            .limit(BATCH)
            .execute();
    const events: ClientEvent[] = [];
    for (const row of rows) {
      const key = decodeText(row.event_key);
      events.push({
        ...{ key, position: row.position, at: row.created_at, scope: row.scope },
        ...{ name: decodeText(row.name), sessionKey: decodeOptionalText(row.session_key) },
        json: await readSealed(row.payload, key, this.#unit),
      });
    }
    return {
      ...{ epoch: state.epoch, newest: state.position, events },
      hasOthers: state.live !== null && state.live !== "",
      gone: (state.gone ?? "").split(",").filter((nodeId) => nodeId !== ""),
    };
  }

  async renew(epoch: string): Promise<string> {
    const renewed = newEpoch();
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("event_log")
      .set({ epoch: renewed })
      .where("name", "=", LOG)
      .where("epoch", "=", epoch)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n ? renewed : (await this.after(Number.MAX_SAFE_INTEGER)).epoch;
  }

  async trim(events: number, ageMs: number): Promise<void> {
    for (;;) {
      const { count } = await this.#unit
        .query()
        .with(
          "gone",
          () => sql<{ position: number }>`(delete from client_events where position in (
              select position from client_events
              where position <= (select position from event_log where name = ${LOG}) - ${events}::bigint
                or created_at < ${NOW} - ${ageMs}::bigint
              order by position limit ${REMOVED}
            ) returning position)`,
        )
        .selectFrom("gone")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (Number(count) < REMOVED) return;
    }
  }
}
