import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** An outcome about to be stored. */
export interface NewOutcome {
  /** ID of the message in the inbox. */
  readonly messageId: string;
  /** Session of the message, with which the outcome is removed. */
  readonly sessionKey?: string | undefined;
  /** Outcome as its caller received it; the store does not interpret it. */
  readonly outcome: JsonObject;
}

/** Outcomes of messages, for callers that repeat a message (TURN-002). */
export interface MessageOutcomes {
  /**
   * Stores an outcome; a second outcome of the same message stores nothing.
   * @throws RowConstraintError when the message does not exist
   * @throws RowDataError when the outcome is not JSON
   */
  add(outcome: NewOutcome): Promise<void>;
  /** Returns the outcome of a message. */
  get(messageId: string): Promise<JsonObject | undefined>;
}

/** The outcomes of a database or transaction. */
export class MessageOutcomeTable implements MessageOutcomes {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ messageId, sessionKey, outcome }: NewOutcome): Promise<void> {
    await this.#unit
      .query()
      .insertInto("message_outcomes")
      .values({
        inbox_id: encodeText(messageId),
        session_key: encodeOptionalText(sessionKey),
        outcome: writeJson(outcome, "message_outcomes.outcome", messageId),
        created_at: this.#unit.now(),
      })
      .onConflict((conflict) => conflict.column("inbox_id").doNothing())
      .execute();
  }

  async get(messageId: string): Promise<JsonObject | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("message_outcomes")
      .select("outcome")
      .where("inbox_id", "=", encodeText(messageId))
      .executeTakeFirst();
    return row && readJson(row.outcome, isJsonObject, "message_outcomes.outcome", messageId);
  }
}
