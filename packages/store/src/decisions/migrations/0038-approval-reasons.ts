import type { Migration } from "../../migrations/migration.js";

/** Words of the commands, the rule that requires the approval, and the note of the person who denied. */
export const approvalReasons: Migration = {
  name: "0038-approval-reasons",
  statements: ({ text }) => [
    `alter table approvals add column argv ${text}`,
    `alter table approvals add column rule ${text}`,
    `alter table approvals add column note ${text}`,
  ],
};
