import type { Migration } from "../../migrations/migration.js";

/** The calls that a grant would cover, in words, so that the sentence about "always" is exact. */
export const grantCovers: Migration = {
  name: "0027-grant-covers",
  statements: ({ text }) => [`alter table approvals add column grant_covers ${text}`],
};
