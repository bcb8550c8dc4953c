import type { Migration } from "../../migrations/migration.js";

/** Queue mode of a session, and versions of the values that plugins store with it (GW-025). */
export const sessionSettings: Migration = {
  name: "0017-session-settings",
  statements: ({ integer, text }) => [
    `alter table sessions add column queue_mode ${text}`,
    `alter table session_extensions add column version ${integer} not null default 1`,
  ],
};
