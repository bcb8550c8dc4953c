import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { LostMessageColumns } from "./schema.js";

/** Message that the plugin of a channel received and did not hand to the host. */
export interface LostMessage {
  readonly id: string;
  readonly channel: string;
  readonly accountId: string;
  readonly pluginId: string;
  /** Part of the SDK that the plugin used and the host lacks. */
  readonly part: string;
  /** Facts about the message; the store does not interpret them. */
  readonly message: JsonObject;
  /** Milliseconds since the epoch. */
  readonly lostAt: number;
  /** Time at which it was handed to the host, in milliseconds since the epoch. */
  readonly replayedAt: number | undefined;
}

/** Lost messages of channels (CHAN-521). */
export interface LostMessages {
  /**
   * Stores a message. One with the same ID keeps its time, and is not stored again.
   * @param message - the message
   * @returns true when it is new
   */
  add(message: Omit<LostMessage, "lostAt" | "replayedAt">): Promise<boolean>;
  /** Returns the messages that were not replayed, oldest first. */
  waiting(): Promise<readonly LostMessage[]>;
  /** Returns the message with an ID. */
  get(id: string): Promise<LostMessage | undefined>;
  /**
   * Marks a message as replayed.
   * @returns false when it was replayed or discarded before
   */
  replay(id: string): Promise<boolean>;
  /**
   * Deletes a message.
   * @returns true when it existed
   */
  delete(id: string): Promise<boolean>;
}

/** The lost messages of a database or transaction. */
export class LostMessageTable implements LostMessages {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ id, ...message }: Omit<LostMessage, "lostAt" | "replayedAt">): Promise<boolean> {
    const added = await this.#unit
      .query()
      .insertInto("lost_messages")
      .values({
        id: encodeText(id),
        channel: encodeText(message.channel),
        account_id: encodeText(message.accountId),
        plugin_id: encodeText(message.pluginId),
        part: encodeText(message.part),
        message: writeJson(message.message, "lost_messages.message", id),
        lost_at: this.#unit.now(),
        replayed_at: null,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    return added !== undefined;
  }

  async waiting(): Promise<readonly LostMessage[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("lost_messages")
      .selectAll()
      .where("replayed_at", "is", null)
      .orderBy("lost_at")
      .orderBy("id")
      .execute();
    return rows.map(lostMessage);
  }

  async get(id: string): Promise<LostMessage | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("lost_messages")
      .selectAll()
      .where("id", "=", encodeText(id))
      .executeTakeFirst();
    return row && lostMessage(row);
  }

  async replay(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("lost_messages")
      .set({ replayed_at: this.#unit.now() })
      .where("id", "=", encodeText(id))
      .where("replayed_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#unit
      .query()
      .deleteFrom("lost_messages")
      .where("id", "=", encodeText(id))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function lostMessage(row: Selectable<LostMessageColumns>): LostMessage {
  const id = decodeText(row.id);
  return {
    id,
    channel: decodeText(row.channel),
    accountId: decodeText(row.account_id),
    pluginId: decodeText(row.plugin_id),
    part: decodeText(row.part),
    message: readJson(row.message, isJsonObject, "lost_messages.message", id),
    lostAt: Number(row.lost_at),
    replayedAt: row.replayed_at === null ? undefined : Number(row.replayed_at),
  };
}
