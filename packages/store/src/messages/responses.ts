import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import {
  isJsonObject,
  readJson,
  readOptionalJson,
  writeJson,
  writeOptionalJson,
} from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowStateError } from "../errors.js";
import type { ResponseColumns } from "./schema.js";

/** A response about to be stored. */
export interface NewResponse {
  readonly id: string;
  /** ID of the response that it continues. */
  readonly previousId?: string | undefined;
  /** ID of its message in the inbox. */
  readonly messageId: string;
  readonly sessionKey: string;
  /** Name of the sender, who alone may read and continue it. */
  readonly sender: string;
  /**
   * The part of the request that later responses need. A gate that blocks the message empties its `entries` (TURN-024);
   * the store does not interpret the rest.
   */
  readonly request: JsonObject;
}

/** A stored response. */
export interface StoredResponse extends NewResponse {
  /** The response as its client receives it; absent until it is complete. */
  readonly response?: JsonObject | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Responses that clients can read again and continue (GW-037). */
export interface Responses {
  /**
   * Stores a response that has begun.
   * @throws RowStateError when a response with this ID exists
   * @throws RowConstraintError when its message does not exist
   */
  add(response: NewResponse): Promise<void>;
  /**
   * Stores the complete response. It has no effect on a response that is complete or was deleted.
   * @param id - ID of the response
   * @param response - the response as its client receives it
   */
  complete(id: string, response: JsonObject): Promise<void>;
  /** Returns the response with an ID. */
  get(id: string): Promise<StoredResponse | undefined>;
  /**
   * Deletes a response.
   * @returns true when it existed
   */
  delete(id: string): Promise<boolean>;
}

/** The responses of a database or transaction. */
export class ResponseTable implements Responses {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ id, previousId, messageId, sessionKey, sender, request }: NewResponse) {
    const added = await this.#unit.atomic(async (unit) => {
      const stored = await unit
        .query()
        .selectFrom("inbox")
        .select("content")
        .where("id", "=", encodeText(messageId))
        .executeTakeFirst();
      // A gate can be quicker than the client that stores its request.
      const kept = stored?.content === "" ? { ...request, entries: [] } : request;
      return await unit
        .query()
        .insertInto("responses")
        .values({
          response_id: encodeText(id),
          previous_id: encodeOptionalText(previousId),
          inbox_id: encodeText(messageId),
          session_key: encodeText(sessionKey),
          sender: encodeText(sender),
          request: writeJson(kept, "responses.request", id),
          response: null,
          created_at: this.#unit.now(),
        })
        .onConflict((conflict) => conflict.column("response_id").doNothing())
        .returning("response_id")
        .executeTakeFirst();
    });
    if (added !== undefined) return;
    throw new RowStateError(`responses.add(${id})`, "present", "absent", "choose another ID");
  }

  async complete(id: string, response: JsonObject): Promise<void> {
    await this.#unit
      .query()
      .updateTable("responses")
      .set({ response: writeOptionalJson(response, "responses.response", id) })
      .where("response_id", "=", encodeText(id))
      .where("response", "is", null)
      .execute();
  }

  async get(id: string): Promise<StoredResponse | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("responses")
      .selectAll()
      .where("response_id", "=", encodeText(id))
      .executeTakeFirst();
    return row && toResponse(row);
  }

  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#unit
      .query()
      .deleteFrom("responses")
      .where("response_id", "=", encodeText(id))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function toResponse(row: Selectable<ResponseColumns>): StoredResponse {
  const id = decodeText(row.response_id);
  return {
    id,
    previousId: decodeOptionalText(row.previous_id),
    messageId: decodeText(row.inbox_id),
    sessionKey: decodeText(row.session_key),
    sender: decodeText(row.sender),
    request: readJson(row.request, isJsonObject, "responses.request", id),
    response: readOptionalJson(row.response, isJsonObject, "responses.response", id),
    createdAt: row.created_at,
  };
}
