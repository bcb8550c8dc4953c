import type { Migration } from "../../migrations/migration.js";

/** The change that the call of an approval request would make, with secrets masked. */
export const approvalChange: Migration = {
  name: "0021-approval-change",
  statements: ({ text }) => [`alter table approvals add column change ${text}`],
};
