import { type Kysely, type Selectable, sql } from "kysely";
import { readOptionalWord } from "../database/json-column.js";
import type { Schema } from "../database/schema.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import { lastRunId } from "./overview.js";
import type { SessionColumns, SessionIncarnationColumns } from "./schema.js";
import {
  QUEUE_MODES,
  type Session,
  type SessionCursor,
  type SessionFilter,
  type SessionSender,
} from "./session.js";

type SessionQuery = ReturnType<typeof selectSessions>;

/** Selects sessions with the counts of their current incarnations. */
export function selectSessions(query: Kysely<Schema>) {
  return query
    .selectFrom("sessions")
    .innerJoin("session_incarnations as current", "current.session_id", "sessions.session_id")
    .selectAll("sessions")
    .select("current.message_count");
}

/** Leaves the sessions after a position; the list is ordered by the time of last use, newest first, then by key. */
export function onlyAfter(query: SessionQuery, { updatedAt, sessionKey }: SessionCursor) {
  return query.where(({ or, and, eb }) =>
    or([
      eb("sessions.updated_at", "<", updatedAt),
      and([
        eb("sessions.updated_at", "=", updatedAt),
        eb("sessions.session_key", ">", encodeText(sessionKey)),
      ]),
    ]),
  );
}

/** Channel of the messages that sessions send to each other. */
const SESSION_CHANNEL = "session";

/** Leaves the sessions in which a sender wrote and no other. */
function onlyFrom(query: SessionQuery, sender: SessionSender) {
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

/** Leaves the sessions that a filter selects, apart from its position and number. */
export function onlySelected(query: SessionQuery, filter: Omit<SessionFilter, "limit" | "after">) {
  const { agentId, sender, sessionKey, channel, label, pinned, archived, state, text } = filter;
  return query
    .$if(agentId !== undefined, (selected) =>
      selected.where("sessions.agent_id", "=", encodeOptionalText(agentId)),
    )
    .$if(sessionKey !== undefined, (selected) =>
      selected.where("sessions.session_key", "=", encodeText(`${sessionKey}`)),
    )
    .$if(channel !== undefined, (selected) =>
      selected.where("sessions.channel", "=", encodeOptionalText(channel)),
    )
    .$if(label !== undefined, (selected) =>
      selected.where("sessions.label", "=", encodeOptionalText(label)),
    )
    .$if(pinned !== undefined, (selected) =>
      selected.where("sessions.pinned_at", pinned ? "is not" : "is", null),
    )
    .$if(archived !== undefined, (selected) =>
      selected.where("sessions.archived_at", archived ? "is not" : "is", null),
    )
    .$if(state !== undefined, (selected) =>
      selected.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("turns")
            .select("turns.run_id")
            .where("turns.run_id", "=", lastRunId)
            .where("turns.state", "=", `${state}`),
        ),
      ),
    )
    .$if(text !== undefined, (selected) => onlyWith(selected, text ?? ""))
    .$call((selected) => (sender === undefined ? selected : onlyFrom(selected, sender)));
}

function onlyWith(query: SessionQuery, text: string) {
  // Characters that have a meaning in a pattern stand for themselves.
  const escaped = encodeText(text.toLowerCase()).replace(/[!%_]/g, "!$&");
  const pattern = `%${escaped}%`;
  return query.where(({ or, exists, selectFrom }) =>
    or([
      sql<boolean>`lower(sessions.session_key) like ${pattern} escape '!'`,
      sql<boolean>`lower(sessions.label) like ${pattern} escape '!'`,
      exists(
        selectFrom("turns")
          .innerJoin("inbox", "inbox.id", "turns.inbox_id")
          .select("turns.run_id")
          .where("turns.run_id", "=", lastRunId)
          .where(sql<boolean>`lower(inbox.content) like ${pattern} escape '!'`),
      ),
    ]),
  );
}

/** Session with the counts of its current incarnation. */
export type SessionRow = Selectable<SessionColumns> &
  Pick<SessionIncarnationColumns, "message_count">;

/** Returns a session from its row. */
export function toSession(row: SessionRow): Session {
  return {
    sessionKey: decodeText(row.session_key),
    sessionId: row.session_id,
    agentId: decodeText(row.agent_id),
    channel: decodeOptionalText(row.channel),
    label: decodeOptionalText(row.label),
    model: decodeOptionalText(row.model),
    queueMode: readOptionalWord(
      row.queue_mode,
      QUEUE_MODES,
      "sessions.queue_mode",
      row.session_key,
    ),
    verbose: row.shows_details === 1 ? true : undefined,
    pinned: row.pinned_at === null ? undefined : true,
    archived: row.archived_at === null ? undefined : true,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
  };
}
