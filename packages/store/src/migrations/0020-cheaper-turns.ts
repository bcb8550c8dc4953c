import type { Migration } from "./migration.js";

/**
 * A turn writes fewer pages. Indexes for retention contain only the rows that retention looks for: of a journal its
 * first step, and messages and replies that are settled. In SQLite the journal is a table with a row number: one in the
 * order of its key stores a row of more than 1 KB on an extra page, and reads it again for each search that passes it.
 */
export const cheaperTurns: Migration = {
  name: "0020-cheaper-turns",
  statements: ({ integer, text, table, clusteredTable }) => [
    // Steps of runs that retention had begun to remove; it looks for the first step from now on.
    "delete from journal where run_id not in (select run_id from journal where seq = 1)",
    ...(clusteredTable === table
      ? ["drop index journal_created"]
      : [
          `create table numbered_journal (
            run_id ${text} not null,
            seq ${integer} not null,
            kind ${text} not null,
            format ${integer} not null,
            step ${text} not null,
            created_at ${integer} not null,
            primary key (run_id, seq)
          ) ${table}`,
          `insert into numbered_journal (run_id, seq, kind, format, step, created_at)
            select run_id, seq, kind, format, step, created_at from journal order by run_id, seq`,
          "drop table journal",
          "alter table numbered_journal rename to journal",
        ]),
    // Tells whether a conversation that is kept in memory still is what is visible.
    `create index transcript_hidden on transcript (session_id, seq, hidden_by)
      where hidden_by is not null`,
    "create index journal_begun on journal (created_at) where seq = 1",
    "drop index inbox_age",
    `create index inbox_age on inbox (settled_at)
      where forgotten_at is null and settled_at is not null`,
    "drop index outbox_age",
    `create index outbox_age on outbox (settled_at)
      where forgotten_at is null and settled_at is not null`,
  ],
};
