import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { preparedQuery } from "../database/prepared-query.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import { eraseConversation } from "./erasure.js";
import { overviewOf, type SessionOverview } from "./overview.js";
import { removeSession } from "./removal.js";
import type { SessionColumns } from "./schema.js";
import type {
  NewSession,
  Session,
  SessionChanges,
  SessionEnd,
  SessionEndReason,
  SessionFilter,
  Sessions,
} from "./session.js";
import {
  onlyAfter,
  onlySelected,
  type SessionRow,
  selectSessions,
  toSession,
} from "./session-query.js";

/** The sessions of a database or transaction. */
export class SessionTable implements Sessions {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async open(
    sessionKey: string,
    session: NewSession,
  ): Promise<{ session: Session; created: boolean }> {
    return await this.#unit.atomic(async (unit) => {
      const created = await createSession(sessionKey, session, unit);
      return { session: await currentSession(sessionKey, unit), created };
    });
  }

  async get(sessionKey: string): Promise<Session | undefined> {
    const [row] = await sessionOf(this.#unit, { session_key: encodeText(sessionKey) });
    return row === undefined ? undefined : toSession(row);
  }

  async list({ limit, after, ...filter }: SessionFilter): Promise<readonly Session[]> {
    requireLimit("sessions.list", limit);
    const rows = await onlySelected(selectSessions(this.#unit.query()), filter)
      .$call((query) => (after === undefined ? query : onlyAfter(query, after)))
      .orderBy("sessions.updated_at", "desc")
      .orderBy("sessions.session_key")
      .limit(limit)
      .execute();
    return rows.map(toSession);
  }

  async count(filter: Omit<SessionFilter, "limit" | "after">): Promise<number> {
    const { total } = await onlySelected(selectSessions(this.#unit.query()), filter)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return total;
  }

  overview(
    sessions: readonly Pick<Session, "sessionId">[],
  ): Promise<ReadonlyMap<string, SessionOverview>> {
    return overviewOf(this.#unit, sessions);
  }

  async touch(sessionKey: string, changes: SessionChanges = {}): Promise<Session> {
    return await this.#unit.atomic(async (unit) => {
      const touched = await unit
        .query()
        .updateTable("sessions")
        .set({
          updated_at: unit.now(),
          ...changedColumns(changes, unit),
        })
        .where("session_key", "=", encodeText(sessionKey))
        .executeTakeFirst();
      if (touched.numUpdatedRows > 0n) return await currentSession(sessionKey, unit);
      throw new RowNotFoundError(`sessions.touch(${sessionKey})`, "the session", "open it first");
    });
  }

  async change(sessionKey: string, changes: SessionChanges): Promise<Session | undefined> {
    return await this.#unit.atomic(async (unit) => {
      await unit
        .query()
        .updateTable("sessions")
        // Assigned to itself, because an update needs a column.
        .set((column) => ({
          updated_at: column.ref("updated_at"),
          ...changedColumns(changes, unit),
        }))
        .where("session_key", "=", encodeText(sessionKey))
        .execute();
      const [row] = await sessionOf(unit, { session_key: encodeText(sessionKey) });
      return row === undefined ? undefined : toSession(row);
    });
  }

  async customized(): Promise<readonly Session[]> {
    const rows = await selectSessions(this.#unit.query())
      .where(({ or, eb }) =>
        or([
          eb("sessions.model", "is not", null),
          eb("sessions.queue_mode", "is not", null),
          eb("sessions.shows_details", "=", 1),
        ]),
      )
      .execute();
    return rows.map(toSession);
  }

  async end(sessionId: string, reason: SessionEndReason): Promise<SessionEnd | undefined> {
    return await this.#unit.atomic(async (unit) => {
      const endedAt = unit.now();
      const ended = await unit
        .query()
        .updateTable("session_incarnations")
        .set({ ended_at: endedAt, end_reason: reason })
        .where("session_id", "=", encodeText(sessionId))
        .where("ended_at", "is", null)
        .returning(["session_key", "session_id", "message_count", "opened_at"])
        .executeTakeFirst();
      if (ended === undefined) return undefined;
      const { agent_id } = await unit
        .query()
        .selectFrom("sessions")
        .select("agent_id")
        .where("session_key", "=", ended.session_key)
        .executeTakeFirstOrThrow();
      return {
        sessionKey: decodeText(ended.session_key),
        sessionId: ended.session_id,
        agentId: decodeText(agent_id),
        messageCount: ended.message_count,
        openedAt: ended.opened_at,
        endedAt,
      };
    });
  }

  async remove(sessionKey: string): Promise<SessionEnd | undefined> {
    const session_key = encodeText(sessionKey);
    return await this.#unit.atomic(async (unit) => {
      const last = await lastIncarnation(session_key, unit);
      if (last !== undefined) await removeSession(session_key, unit);
      return last;
    });
  }

  async erase(sessionId: string): Promise<void> {
    await this.#unit.atomic((unit) => eraseConversation(sessionId, unit));
  }

  async renew(sessionKey: string): Promise<Session> {
    return await this.#unit.atomic(async (unit) => {
      const session_key = encodeText(sessionKey);
      const session_id = randomUUID();
      const renewed = await unit
        .query()
        .updateTable("sessions")
        .set({ session_id, updated_at: unit.now() })
        .where("session_key", "=", session_key)
        .executeTakeFirst();
      if (renewed.numUpdatedRows === 0n) {
        const call = `sessions.renew(${sessionKey})`;
        throw new RowNotFoundError(call, "the session", "open it first");
      }
      await beginIncarnation({ session_id, session_key }, unit);
      return await currentSession(sessionKey, unit);
    });
  }
}

/** Returns the details of the incarnation that ends when its session is removed. */
async function lastIncarnation(
  session_key: string,
  unit: UnitOfWork,
): Promise<SessionEnd | undefined> {
  const row = await unit
    .query()
    .selectFrom("sessions")
    .innerJoin("session_incarnations as last", "last.session_id", "sessions.session_id")
    .select(["sessions.agent_id", "last.session_id", "last.message_count", "last.opened_at"])
    .select("last.ended_at")
    .where("sessions.session_key", "=", session_key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    sessionKey: decodeText(session_key),
    sessionId: row.session_id,
    agentId: decodeText(row.agent_id),
    messageCount: row.message_count,
    openedAt: row.opened_at,
    endedAt: row.ended_at ?? unit.now(),
  };
}

/**
 * Adds an empty incarnation of a session.
 * @param ids - the incarnation and its session
 */
export async function beginIncarnation(
  ids: { session_id: string; session_key: string },
  unit: UnitOfWork,
): Promise<void> {
  await unit
    .query()
    .insertInto("session_incarnations")
    .values({ ...ids, opened_at: unit.now(), message_count: 0, last_seq: 0 })
    .execute();
}

/** Creates a session unless its key exists; returns whether it did. */
async function createSession(
  sessionKey: string,
  { agentId, channel, label, model, queueMode, sessionId = randomUUID() }: NewSession,
  unit: UnitOfWork,
): Promise<boolean> {
  const now = unit.now();
  const [created] = await insertSession(unit, {
    session_key: encodeText(sessionKey),
    session_id: encodeText(sessionId),
    agent_id: encodeText(agentId),
    channel: encodeOptionalText(channel),
    label: encodeOptionalText(label),
    model: encodeOptionalText(model),
    queue_mode: queueMode ?? null,
    created_at: now,
  });
  if (created === undefined) return false;
  await beginIncarnation(created, unit);
  return true;
}

const insertSession = preparedQuery<
  Omit<Selectable<SessionColumns>, "updated_at" | "shows_details" | "pinned_at" | "archived_at">,
  Pick<SessionColumns, "session_id" | "session_key">
>((query, parameter) =>
  query
    .insertInto("sessions")
    .values({
      session_key: parameter("session_key"),
      session_id: parameter("session_id"),
      agent_id: parameter("agent_id"),
      channel: parameter("channel"),
      label: parameter("label"),
      model: parameter("model"),
      queue_mode: parameter("queue_mode"),
      created_at: parameter("created_at"),
      updated_at: parameter("created_at"),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(["session_id", "session_key"]),
);

async function currentSession(sessionKey: string, unit: UnitOfWork): Promise<Session> {
  const [row] = await sessionOf(unit, { session_key: encodeText(sessionKey) });
  if (row !== undefined) return toSession(row);
  throw new RowNotFoundError(`sessions.get(${sessionKey})`, "the session", "open it first");
}

const sessionOf = preparedQuery<{ session_key: string }, SessionRow>((query, parameter) =>
  selectSessions(query).where("sessions.session_key", "in", [parameter("session_key")]),
);

function changedColumns(
  { label, model, queueMode, verbose, pinned, archived }: SessionChanges,
  unit: UnitOfWork,
) {
  const time = (isSet: boolean | undefined) => {
    if (isSet === undefined) return undefined;
    return isSet ? unit.now() : null;
  };
  return {
    pinned_at: time(pinned),
    archived_at: time(archived),
    label: toColumn(label),
    model: toColumn(model),
    queue_mode: toColumn(queueMode),
    shows_details: verbose === undefined ? undefined : Number(verbose),
  };
}

/** Converts a change to a column value; undefined leaves the column unchanged. */
function toColumn(value: string | null | undefined): string | null | undefined {
  return typeof value === "string" ? encodeText(value) : value;
}
