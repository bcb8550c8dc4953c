import type { Migration } from "../../migrations/migration.js";

/** Values that one part of a host tells another, by ID (SCALE-509). */
export const signals: Migration = {
  name: "0041-signals",
  statements: ({ integer, text, table }) => [
    `create table signals (
      signal_id ${text} not null primary key,
      value ${text} not null,
      created_at ${integer} not null
    ) ${table}`,
  ],
};
