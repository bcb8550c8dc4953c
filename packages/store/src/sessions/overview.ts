import { sql } from "kysely";
import { readWord } from "../database/json-column.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { TURN_STATES, type TurnState } from "../turns/turns.js";

/** Number of characters of the last message of a session. */
const TEXT_LENGTH = 200;

/** Tokens, cost and last turn of the current conversation of a session. */
export interface SessionOverview {
  readonly tokens: number;
  /** Picodollars. */
  readonly cost: bigint;
  /** Its last turn; absent without any. */
  readonly lastTurn?:
    | {
        readonly state: TurnState;
        /** Beginning of the message that it answers; empty when it was erased. */
        readonly text: string;
      }
    | undefined;
}

/** Selects the last turn of a conversation. */
export const lastRunId = sql<string>`(select last.run_id from turns as last
  where last.session_id = sessions.session_id order by last.queued_at desc, last.run_id desc limit 1)`;

/**
 * Returns tokens, cost and last turn of the current conversations of sessions, by the ID of the conversation.
 * @param unit - the database or transaction
 * @param sessions - at most a page of sessions
 */
export async function overviewOf(
  unit: UnitOfWork,
  sessions: readonly { readonly sessionId: string }[],
): Promise<ReadonlyMap<string, SessionOverview>> {
  if (sessions.length === 0) return new Map();
  const ids = sessions.map(({ sessionId }) => encodeText(sessionId));
  const totals = await unit
    .query()
    .selectFrom("token_totals")
    // As text, because a sum may be larger than a number can be exactly.
    .select(["id", "tokens", sql<string>`cast(cost as text)`.as("cost")])
    .where("scope", "=", "session")
    .where("id", "in", ids)
    .execute();
  const turns = await unit
    .query()
    .selectFrom("sessions")
    .innerJoin("turns", (join) => join.on("turns.run_id", "=", lastRunId))
    .innerJoin("inbox", "inbox.id", "turns.inbox_id")
    .select(["sessions.session_id", "turns.run_id", "turns.state"])
    .select(sql<string>`substr(inbox.content, 1, ${sql.lit(TEXT_LENGTH)})`.as("text"))
    .where("sessions.session_id", "in", ids)
    .execute();
  const totalOf = new Map(totals.map(({ id, ...total }) => [decodeText(id), total]));
  const turnOf = new Map(turns.map(({ session_id, ...turn }) => [decodeText(session_id), turn]));
  return new Map(
    sessions.map(({ sessionId }) => {
      const { tokens = 0, cost = "0" } = totalOf.get(sessionId) ?? {};
      const turn = turnOf.get(sessionId);
      const lastTurn = turn && {
        state: readWord(turn.state, TURN_STATES, "turns.state", turn.run_id),
        text: decodeText(turn.text),
      };
      return [sessionId, { tokens, cost: BigInt(cost), lastTurn }];
    }),
  );
}
