import type { Migration } from "../../migrations/migration.js";

/** Outcomes for callers that repeat a message, and responses that clients can continue. */
export const outcomesAndResponses: Migration = {
  name: "0015-outcomes-and-responses",
  statements: ({ integer, text }) => [
    `create table message_outcomes (
      inbox_id ${text} not null primary key references inbox (id),
      session_key ${text},
      outcome ${text} not null,
      created_at ${integer} not null
    )`,
    "create index message_outcomes_created on message_outcomes (created_at)",
    `create table responses (
      response_id ${text} not null primary key,
      previous_id ${text},
      inbox_id ${text} not null references inbox (id),
      session_key ${text} not null,
      sender ${text} not null,
      request ${text} not null,
      response ${text},
      created_at ${integer} not null
    )`,
    "create index responses_created on responses (created_at)",
  ],
};
