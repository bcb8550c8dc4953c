import type { Migration } from "../../migrations/migration.js";

/** What a host needs to take a message up again that it had stored and not yet routed. */
export const turnRecord: Migration = {
  name: "0012-turn-record",
  statements: ({ text }) => [`alter table inbox add column request ${text}`],
};
