import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { preparedQuery } from "../database/prepared-query.js";
import { requireLimit } from "../database/row-limit.js";
import type { Schema } from "../database/schema.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import { removeSession } from "./removal.js";
import type { SessionColumns, SessionIncarnationColumns } from "./schema.js";
import type {
  NewSession,
  Session,
  SessionChanges,
  SessionEnd,
  SessionEndReason,
  SessionFilter,
  SessionSender,
  Sessions,
} from "./session.js";

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

  async list({ limit, agentId, sender, sessionKey }: SessionFilter): Promise<readonly Session[]> {
    requireLimit("sessions.list", limit);
    const rows = await selectSessions(this.#unit.query())
      .$if(agentId !== undefined, (query) =>
        query.where("sessions.agent_id", "=", encodeOptionalText(agentId)),
      )
      .$if(sessionKey !== undefined, (query) =>
        query.where("sessions.session_key", "=", encodeText(`${sessionKey}`)),
      )
      .$call((query) => (sender === undefined ? query : onlyFrom(query, sender)))
      .orderBy("sessions.updated_at", "desc")
      .orderBy("sessions.session_key")
      .limit(limit)
      .execute();
    return rows.map(toSession);
  }

  async touch(sessionKey: string, changes: SessionChanges = {}): Promise<Session> {
    return await this.#unit.atomic(async (unit) => {
      const touched = await unit
        .query()
        .updateTable("sessions")
        .set({
          updated_at: unit.now(),
          label: toColumn(changes.label),
          model: toColumn(changes.model),
        })
        .where("session_key", "=", encodeText(sessionKey))
        .executeTakeFirst();
      if (touched.numUpdatedRows > 0n) return await currentSession(sessionKey, unit);
      throw new RowNotFoundError(`sessions.touch(${sessionKey})`, "the session", "open it first");
    });
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

async function beginIncarnation(
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
  { agentId, channel, label, model, sessionId = randomUUID() }: NewSession,
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
    created_at: now,
  });
  if (created === undefined) return false;
  await beginIncarnation(created, unit);
  return true;
}

const insertSession = preparedQuery<
  Omit<SessionColumns, "updated_at">,
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
      created_at: parameter("created_at"),
      updated_at: parameter("created_at"),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(["session_id", "session_key"]),
);

function selectSessions(query: Kysely<Schema>) {
  return query
    .selectFrom("sessions")
    .innerJoin("session_incarnations as current", "current.session_id", "sessions.session_id")
    .selectAll("sessions")
    .select("current.message_count");
}

/** Channel of the messages that sessions send to each other. */
const SESSION_CHANNEL = "session";

function onlyFrom(query: ReturnType<typeof selectSessions>, sender: SessionSender) {
  const channel = encodeText(sender.channel);
  const account = encodeText(sender.accountId);
  const id = encodeText(sender.senderId);
  return query
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("inbox as own")
          .select("own.id")
          .whereRef("own.session_key", "=", "sessions.session_key")
          .where("own.channel", "=", channel)
          .where("own.account_id", "=", account)
          .where("own.sender_id", "=", id),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("inbox as other")
            .select("other.id")
            .whereRef("other.session_key", "=", "sessions.session_key")
            .where("other.channel", "!=", SESSION_CHANNEL)
            .where(({ eb, or }) =>
              or([
                eb("other.channel", "!=", channel),
                eb("other.account_id", "!=", account),
                eb("other.sender_id", "!=", id),
              ]),
            ),
        ),
      ),
    );
}

async function currentSession(sessionKey: string, unit: UnitOfWork): Promise<Session> {
  const [row] = await sessionOf(unit, { session_key: encodeText(sessionKey) });
  if (row !== undefined) return toSession(row);
  throw new RowNotFoundError(`sessions.get(${sessionKey})`, "the session", "open it first");
}

const sessionOf = preparedQuery<{ session_key: string }, SessionRow>((query, parameter) =>
  selectSessions(query).where("sessions.session_key", "in", [parameter("session_key")]),
);

/** Converts a change to a column value; undefined leaves the column unchanged. */
function toColumn(value: string | null | undefined): string | null | undefined {
  return typeof value === "string" ? encodeText(value) : value;
}

type SessionRow = SessionColumns & Pick<SessionIncarnationColumns, "message_count">;

function toSession(row: SessionRow): Session {
  return {
    sessionKey: decodeText(row.session_key),
    sessionId: row.session_id,
    agentId: decodeText(row.agent_id),
    channel: decodeOptionalText(row.channel),
    label: decodeOptionalText(row.label),
    model: decodeOptionalText(row.model),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
  };
}
