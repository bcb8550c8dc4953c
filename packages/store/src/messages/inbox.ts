import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isAttachmentList } from "../database/attachments-column.js";
import { type ErrorRecord, isErrorRecord } from "../database/error-record.js";
import {
  isJsonObject,
  readJson,
  readOptionalJson,
  readWord,
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
import { RowNotFoundError, RowStateError } from "../errors.js";
import { insertMessage, type ReceivedColumns, settleMessage } from "./inbox-queries.js";
import type { InboxColumns } from "./schema.js";

const INBOX_STATES = ["received", "queued", "answered", "claimed", "cancelled", "failed"] as const;

/** `received` until the message's outcome is known; every other state is final. */
export type InboxState = (typeof INBOX_STATES)[number];

/** A message as it came in (TURN-001). */
export interface InboundMessage {
  /** A UUID, chosen by whoever accepts the message. */
  readonly id: string;
  readonly channel: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly threadId?: string | undefined;
  readonly senderId: string;
  readonly userName?: string | undefined;
  /** The channel's own id of the message; at most one row per conversation has it. */
  readonly externalMessageId?: string | undefined;
  /** The caller's key; at most one row has it. */
  readonly idempotencyKey?: string | undefined;
  readonly content: string;
  readonly attachments: readonly AttachmentMeta[];
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly metadata: JsonObject;
  /**
   * What else the host needs to take the message up after a restart. The store does not look into it
   * and deletes it when the outcome of the message is known.
   */
  readonly request?: JsonObject | undefined;
}

/** A stored message. */
export interface InboundRow extends InboundMessage {
  readonly state: InboxState;
  readonly sessionKey?: string | undefined;
  readonly runId?: string | undefined;
  readonly error?: ErrorRecord | undefined;
  /** When its outcome became known, in milliseconds since the epoch. */
  readonly settledAt?: number | undefined;
}

/** The outcome of a message. */
export type InboxSettlement =
  | { readonly state: "queued"; readonly sessionKey: string; readonly runId: string }
  | {
      readonly state: "answered" | "claimed" | "cancelled";
      readonly sessionKey?: string | undefined;
      readonly runId?: string | undefined;
    }
  | {
      readonly state: "failed";
      readonly error: ErrorRecord;
      readonly sessionKey?: string | undefined;
      readonly runId?: string | undefined;
    };

/** Every message that came in, in the order it was committed. */
export interface Inbox {
  /**
   * Stores a message. Once this resolves outside a transaction the message is durable and may be
   * acknowledged.
   *
   * A repeat stores nothing: a message with the id, the idempotency key, or the channel, account,
   * conversation and external id of an earlier one gives that row with `duplicate` true.
   * @throws RowDataError when metadata or attachments are no JSON values
   */
  accept(message: InboundMessage): Promise<{ row: InboundRow; duplicate: boolean }>;
  /**
   * Gives a received message its outcome. For `queued`, call it in the transaction that enqueues
   * the turn.
   * @param id - the message's id
   * @throws RowNotFoundError when there is no such message
   * @throws RowStateError when its outcome is already known
   */
  settle(id: string, settlement: InboxSettlement): Promise<InboundRow>;
  /** The message with an id. */
  get(id: string): Promise<InboundRow | undefined>;
  /** The newest message that was routed to a session. */
  latest(sessionKey: string): Promise<InboundRow | undefined>;
  /** Every message in a state, oldest first. */
  inState(state: InboxState): Promise<readonly InboundRow[]>;
}

/** The inbox of a database or transaction. */
export class InboxTable implements Inbox {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async accept(message: InboundMessage): Promise<{ row: InboundRow; duplicate: boolean }> {
    const columns = toColumns(message);
    return await this.#unit.atomic(async (unit) => {
      const [stored] = await insertMessage(unit, columns);
      if (stored !== undefined) return { row: toRow(stored), duplicate: false };
      return { row: toRow(await firstOf(columns, unit)), duplicate: true };
    });
  }

  async settle(id: string, settlement: InboxSettlement): Promise<InboundRow> {
    const error = "error" in settlement ? settlement.error : undefined;
    const [settled] = await settleMessage(this.#unit, {
      id: encodeText(id),
      state: settlement.state,
      session_key: encodeOptionalText(settlement.sessionKey),
      run_id: encodeOptionalText(settlement.runId),
      error: writeOptionalJson(error, "inbox.error", id),
      settled_at: this.#unit.now(),
    });
    if (settled !== undefined) return toRow(settled);

    const call = `inbox.settle(${id}, ${settlement.state})`;
    const row = await this.get(id);
    if (row === undefined) throw new RowNotFoundError(call, "the message", "accept it first");
    throw new RowStateError(call, row.state, "received", "a message has one outcome only");
  }

  async get(id: string): Promise<InboundRow | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("inbox")
      .selectAll()
      .where("id", "=", encodeText(id))
      .executeTakeFirst();
    return row === undefined ? undefined : toRow(row);
  }

  async latest(sessionKey: string): Promise<InboundRow | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("inbox")
      .selectAll()
      .where("session_key", "=", encodeText(sessionKey))
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : toRow(row);
  }

  async inState(state: InboxState): Promise<readonly InboundRow[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("inbox")
      .selectAll()
      .where("state", "=", state)
      .orderBy("position")
      .execute();
    return rows.map(toRow);
  }
}

/** The oldest row that shares a key with a message. */
async function firstOf(
  message: ReceivedColumns,
  unit: UnitOfWork,
): Promise<Selectable<InboxColumns>> {
  return await unit
    .query()
    .selectFrom("inbox")
    .selectAll()
    .where((where) => {
      // Compared with "=", an absent key is equal to nothing, not to another absent key.
      const { id, idempotency_key, external_message_id } = message;
      return where.or([
        where("id", "=", id),
        where("idempotency_key", "=", idempotency_key),
        where.and([
          where("channel", "=", message.channel),
          where("account_id", "=", message.account_id),
          where("conversation_id", "=", message.conversation_id),
          where("external_message_id", "=", external_message_id),
        ]),
      ]);
    })
    .orderBy("position")
    .limit(1)
    .executeTakeFirstOrThrow();
}

function toColumns(message: InboundMessage): ReceivedColumns {
  const { id } = message;
  return {
    id: encodeText(id),
    channel: encodeText(message.channel),
    account_id: encodeText(message.accountId),
    conversation_id: encodeText(message.conversationId),
    thread_id: encodeOptionalText(message.threadId),
    sender_id: encodeText(message.senderId),
    user_name: encodeOptionalText(message.userName),
    external_message_id: encodeOptionalText(message.externalMessageId),
    idempotency_key: encodeOptionalText(message.idempotencyKey),
    content: encodeText(message.content),
    attachments: writeJson(message.attachments, "inbox.attachments", id),
    received_at: message.receivedAt,
    metadata: writeJson(message.metadata, "inbox.metadata", id),
    request: writeOptionalJson(message.request, "inbox.request", id),
  };
}

function toRow(row: Selectable<InboxColumns>): InboundRow {
  const id = decodeText(row.id);
  return {
    id,
    channel: decodeText(row.channel),
    accountId: decodeText(row.account_id),
    conversationId: decodeText(row.conversation_id),
    threadId: decodeOptionalText(row.thread_id),
    senderId: decodeText(row.sender_id),
    userName: decodeOptionalText(row.user_name),
    externalMessageId: decodeOptionalText(row.external_message_id),
    idempotencyKey: decodeOptionalText(row.idempotency_key),
    content: decodeText(row.content),
    attachments: readJson(row.attachments, isAttachmentList, "inbox.attachments", id),
    receivedAt: row.received_at,
    metadata: readJson(row.metadata, isJsonObject, "inbox.metadata", id),
    request: readOptionalJson(row.request, isJsonObject, "inbox.request", id),
    state: readWord(row.state, INBOX_STATES, "inbox.state", id),
    sessionKey: decodeOptionalText(row.session_key),
    runId: decodeOptionalText(row.run_id),
    error: readOptionalJson(row.error, isErrorRecord, "inbox.error", id),
    settledAt: row.settled_at ?? undefined,
  };
}
