import type { Migration } from "./migration.js";

/**
 * Transcript entries that were taken back, the place at which a compaction was made, conversations that continue
 * others, and sessions that show details of their turns (SUB-023, SUB-030).
 */
export const threads: Migration = {
  name: "0019-threads",
  statements: ({ integer, text }) => [
    `alter table transcript add column hidden_by ${integer}`,
    `alter table compactions add column at_seq ${integer}`,
    `alter table session_incarnations add column undo_floor ${integer} not null default 0`,
    `alter table session_incarnations add column redo_floor ${integer} not null default 0`,
    `alter table session_incarnations add column continues ${text}`,
    `alter table sessions add column shows_details ${integer} not null default 0`,
  ],
};
