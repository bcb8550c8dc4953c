import type { Migration } from "../../migrations/migration.js";

/**
 * Nodes that work on one database, what they tell each other, and the node that answers for a message or a reply until it has its outcome
 * (SCALE-006).
 */
export const nodes: Migration = {
  name: "0043-nodes",
  statements: ({ identity, integer, text, table }) => [
    `create table nodes (
      node_id ${text} not null primary key,
      name ${text} not null,
      version ${text} not null,
      state ${text} not null,
      facts ${text} not null,
      started_at ${integer} not null,
      seen_at ${integer} not null,
      expires_at ${integer} not null
    ) ${table}`,
    `create table node_notices (
      number ${identity},
      node_id ${text} not null,
      topic ${text} not null,
      notice ${text} not null,
      created_at ${integer} not null
    ) ${table}`,
    `alter table inbox add column node_id ${text}`,
    `alter table outbox add column node_id ${text}`,
  ],
};
