import type { Migration } from "../../migrations/migration.js";

/** Data that a host needs to process a stored message that was not yet routed. */
export const turnRecord: Migration = {
  name: "0012-turn-record",
  statements: ({ text }) => [`alter table inbox add column request ${text}`],
};
