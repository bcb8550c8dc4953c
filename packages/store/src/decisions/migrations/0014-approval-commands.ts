import type { Migration } from "../../migrations/migration.js";

/** The commands of an approval request, read from the unmasked parameters when it was created. */
export const approvalCommands: Migration = {
  name: "0014-approval-commands",
  statements: ({ text }) => [`alter table approvals add column commands ${text}`],
};
