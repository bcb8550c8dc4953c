import { sweepByAge } from "../database/age-sweep.js";
import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { removeByIncarnation, removeByRun, removeBySession } from "../sessions/session-rows.js";
import { compactions } from "./migrations/0005-compactions.js";
import { turnRecord } from "./migrations/0012-turn-record.js";
import { outcomesAndResponses } from "./migrations/0015-outcomes-and-responses.js";
import { lostMessages } from "./migrations/0046-lost-messages.js";
import { forgetInbound, forgetReplies, removeCompactions, removeTranscripts } from "./retention.js";
import type { MessageSchema } from "./schema.js";

const RETENTION_DAYS = {
  /** Transcripts of conversations, by the time they ended or were last used. */
  transcript: Number.POSITIVE_INFINITY,
  /** Text and attachments of inbound messages and of replies. */
  messageContent: 30,
  /** Responses that clients can continue. */
  response: 30,
};

/**
 * Empties the messages of a session. The rows stay, so that a duplicate of a message is still
 * recognized.
 */
const emptyInbound: Removal = (session_key, unit) =>
  unit
    .query()
    .updateTable("inbox")
    .set({
      content: "",
      attachments: "[]",
      metadata: "{}",
      user_name: null,
      forgotten_at: unit.now(),
    })
    .where("session_key", "=", session_key)
    .where("forgotten_at", "is", null)
    .execute();

/** The messages context: inbox, outbox, transcripts and their compactions, outcomes and responses. */
export const MESSAGES: ContextDefinition<MessageSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [compactions, turnRecord, outcomesAndResponses, lostMessages],
  retentionDays: RETENTION_DAYS,
  tables: {
    inbox: {
      key: ["position"],
      isNumbered: true,
      retention: { subject: "messageContent", sweep: forgetInbound },
      removal: emptyInbound,
    },
    transcript: {
      key: ["session_id", "seq"],
      dependsOn: ["session_incarnations"],
      retention: { subject: "transcript", sweep: removeTranscripts },
      removal: removeByIncarnation("transcript"),
    },
    compactions: {
      key: ["session_id", "up_to_seq"],
      dependsOn: ["session_incarnations"],
      retention: { subject: "transcript", sweep: removeCompactions },
      removal: removeByIncarnation("compactions"),
    },
    outbox: {
      key: ["position"],
      isNumbered: true,
      dependsOn: ["inbox", "turns"],
      retention: { subject: "messageContent", sweep: forgetReplies },
      removal: removeByRun("outbox"),
    },
    message_outcomes: {
      key: ["inbox_id"],
      dependsOn: ["inbox"],
      retention: {
        subject: "messageContent",
        sweep: sweepByAge({ table: "message_outcomes", key: ["inbox_id"], time: "created_at" }),
      },
      removal: removeBySession("message_outcomes"),
    },
    responses: {
      key: ["response_id"],
      dependsOn: ["inbox"],
      retention: {
        subject: "response",
        sweep: sweepByAge({ table: "responses", key: ["response_id"], time: "created_at" }),
      },
      removal: removeBySession("responses"),
    },
    lost_messages: {
      key: ["id"],
      retention: {
        subject: "messageContent",
        sweep: sweepByAge({ table: "lost_messages", key: ["id"], time: "lost_at" }),
      },
      // They reached no session; an operator discards them.
      removal: "kept",
    },
  },
};
