import type { Migration } from "../../migrations/migration.js";

/** Messages that a plugin of a channel received and lost, because it used a part of the SDK that the host lacks. */
export const lostMessages: Migration = {
  name: "0046-lost-messages",
  statements: ({ integer, text, table }) => [
    `create table lost_messages (
      id ${text} not null,
      channel ${text} not null,
      account_id ${text} not null,
      plugin_id ${text} not null,
      part ${text} not null,
      message ${text} not null,
      lost_at ${integer} not null,
      replayed_at ${integer},
      primary key (id)
    ) ${table}`,
    "create index lost_messages_at on lost_messages (lost_at)",
  ],
};
