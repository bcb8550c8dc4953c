import type { Migration } from "../../migrations/migration.js";

/** Calls of the last time, counted for all nodes together (SCALE-018). */
export const callWindows: Migration = {
  name: "0045-call-windows",
  statements: ({ integer, text, table }) => [
    `create table call_windows (
      window_key ${text} not null primary key,
      times ${text} not null,
      expires_at ${integer} not null
    ) ${table}`,
  ],
};
