import type { Migration } from "../../migrations/migration.js";

/** Input that a call asks a person for, and the values that the person gave. */
export const approvalInputs: Migration = {
  name: "0037-approval-inputs",
  statements: ({ text }) => [
    `alter table approvals add column input ${text}`,
    `alter table approvals add column answer ${text}`,
  ],
};
