import type { Migration } from "../../migrations/migration.js";

/** Number of people that must allow a request, and their votes (APPR-030). */
export const approvalVotes: Migration = {
  name: "0044-approval-votes",
  statements: ({ integer, text, clusteredTable }) => [
    `alter table approvals add column quorum ${text}`,
    `create table approval_votes (
      approval_id ${text} not null references approvals (id) on delete cascade,
      person ${text} not null,
      voter ${text} not null,
      via ${text} not null,
      decision ${text} not null,
      at ${integer} not null,
      primary key (approval_id, person)
    ) ${clusteredTable}`,
  ],
};
