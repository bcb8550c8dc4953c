import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isAttachmentList } from "../database/attachments-column.js";
import { type ErrorRecord, isErrorRecord } from "../database/error-record.js";
import { isJsonObject, readJson, readOptionalJson, readWord } from "../database/json-column.js";
import { decodeOptionalText, decodeText } from "../database/text-column.js";
import type { OutboxColumns } from "./schema.js";

const OUTBOX_STATES = ["pending", "delivered", "suppressed", "failed"] as const;

/** `pending` until the reply is delivered, suppressed or failed; every other state is final. */
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** Recipient of a reply. */
export interface DeliveryTarget {
  readonly channel: string;
  /** The recipient as the channel names it. */
  readonly to: string;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** One part of a reply. */
export interface NewReply {
  readonly runId: string;
  /** Number of the part within the run's reply, from 0. */
  readonly part: number;
  /** The inbound message that it answers. */
  readonly inboxId?: string | undefined;
  readonly sessionKey: string;
  readonly target: DeliveryTarget;
  readonly content: string;
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** The channel's id of the message it answers. */
  readonly replyToId?: string | undefined;
}

/** Reason that a hook gave for cancelling a part. */
export interface Cancellation {
  readonly cancelReason?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** A stored part of a reply. */
export interface OutboxRow extends NewReply {
  /** ULID. */
  readonly id: string;
  readonly attachments: readonly AttachmentMeta[];
  readonly state: OutboxState;
  /** Number of attempts before the row failed; 0 until then. */
  readonly attempts: number;
  /** The channel's id of the delivered message. */
  readonly messageId?: string | undefined;
  /** Reason for suppressing it. */
  readonly reason?: string | undefined;
  /** Reason of the hook that cancelled it. */
  readonly cancellation?: Cancellation | undefined;
  readonly error?: ErrorRecord | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time at which its state became final, in milliseconds since the epoch. */
  readonly settledAt?: number | undefined;
}

/**
 * Converts a database row to a part of a reply.
 * @param row - row as stored in the database
 * @throws RowDataError when this version did not write it
 */
export function toOutboxRow(row: Selectable<OutboxColumns>): OutboxRow {
  return {
    id: row.id,
    runId: decodeText(row.run_id),
    part: row.part,
    inboxId: decodeOptionalText(row.inbox_id),
    sessionKey: decodeText(row.session_key),
    target: {
      channel: decodeText(row.channel),
      to: decodeText(row.recipient),
      accountId: decodeOptionalText(row.account_id),
      threadId: decodeOptionalText(row.thread_id),
    },
    content: decodeText(row.content),
    attachments: readJson(row.attachments, isAttachmentList, "outbox.attachments", row.id),
    replyToId: decodeOptionalText(row.reply_to_id),
    state: readWord(row.state, OUTBOX_STATES, "outbox.state", row.id),
    attempts: row.attempts,
    messageId: decodeOptionalText(row.message_id),
    reason: decodeOptionalText(row.reason),
    cancellation: readOptionalJson(row.cancellation, isJsonObject, "outbox.cancellation", row.id),
    error: readOptionalJson(row.error, isErrorRecord, "outbox.error", row.id),
    createdAt: row.created_at,
    settledAt: row.settled_at ?? undefined,
  };
}
