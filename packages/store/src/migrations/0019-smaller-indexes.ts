import type { Migration } from "./migration.js";

/**
 * Indexes for retention contain only the rows that retention looks for: of a journal its first step, and
 * messages and replies that are settled. Every turn wrote the others in each of its commits.
 */
export const smallerIndexes: Migration = {
  name: "0019-smaller-indexes",
  statements: () => [
    // Steps of runs that retention had begun to remove; it looks for the first step from now on.
    "delete from journal where run_id not in (select run_id from journal where seq = 1)",
    "drop index journal_created",
    "create index journal_begun on journal (created_at) where seq = 1",
    "drop index inbox_age",
    `create index inbox_age on inbox (settled_at)
      where forgotten_at is null and settled_at is not null`,
    "drop index outbox_age",
    `create index outbox_age on outbox (settled_at)
      where forgotten_at is null and settled_at is not null`,
  ],
};
