import type { Migration } from "./migration.js";

/**
 * Indexes for old rows and for the rows of a session, and a table of notes about the database
 * itself.
 */
export const retention: Migration = {
  name: "0008-retention",
  statements: ({ integer, text, table }) => [
    `alter table inbox add column forgotten_at ${integer}`,
    `alter table outbox add column forgotten_at ${integer}`,
    "create index inbox_age on inbox (settled_at) where forgotten_at is null",
    "create index outbox_age on outbox (settled_at) where forgotten_at is null",
    `create index session_incarnations_ended on session_incarnations (ended_at)
      where ended_at is not null`,
    "create index tool_audit_age on tool_audit (at)",
    // Rows of a session are found without a full scan.
    "create index turns_session on turns (session_key)",
    "create index turns_incarnation on turns (session_id)",
    "create index inbox_session on inbox (session_key) where forgotten_at is null",

    `create table database_notes (
      name ${text} not null primary key,
      note ${text} not null
    ) ${table}`,
  ],
};
