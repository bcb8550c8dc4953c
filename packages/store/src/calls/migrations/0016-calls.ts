import type { Migration } from "../../migrations/migration.js";

/** Calls of clients with an idempotency key, and their outcomes (GW-022). */
export const calls: Migration = {
  name: "0016-calls",
  statements: ({ integer, text, table }) => [
    `create table calls (
      caller_id ${text} not null,
      idempotency_key ${text} not null,
      method ${text} not null,
      digest ${text} not null,
      state ${text} not null,
      outcome ${text},
      begun_at ${integer} not null,
      settled_at ${integer},
      primary key (caller_id, idempotency_key)
    ) ${table}`,
    "create index calls_age on calls (begun_at)",
  ],
};
