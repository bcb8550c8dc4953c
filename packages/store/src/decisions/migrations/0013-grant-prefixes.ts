import type { Migration } from "../../migrations/migration.js";

/** Prefixes of commands that a grant can allow instead of the exact command. */
export const grantPrefixes: Migration = {
  name: "0013-grant-prefixes",
  statements: ({ text }) => [`alter table approvals add column grant_prefixes ${text}`],
};
