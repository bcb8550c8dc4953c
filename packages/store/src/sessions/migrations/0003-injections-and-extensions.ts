import type { Migration } from "../../migrations/migration.js";

/** Data that plugins store with sessions: text for the next turn, and extension values. */
export const injectionsAndExtensions: Migration = {
  name: "0003-injections-and-extensions",
  statements: ({ identity, integer, text, table, clusteredTable }) => [
    `create table next_turn_injections (
      position ${identity},
      id ${text} not null unique,
      session_key ${text} not null references sessions (session_key) on delete cascade,
      plugin_id ${text} not null,
      idempotency_key ${text},
      text ${text} not null,
      placement ${text} not null,
      metadata ${text},
      created_at ${integer} not null,
      expires_at ${integer},
      run_id ${text},
      consumed_at ${integer}
    ) ${table}`,
    `create index next_turn_injections_session on next_turn_injections (session_key, position)`,
    `create index next_turn_injections_run on next_turn_injections (run_id)
      where run_id is not null`,
    `create unique index next_turn_injections_key
      on next_turn_injections (session_key, plugin_id, idempotency_key)
      where idempotency_key is not null`,

    `create table session_extensions (
      session_key ${text} not null references sessions (session_key) on delete cascade,
      plugin_id ${text} not null,
      namespace ${text} not null,
      value ${text} not null,
      updated_at ${integer} not null,
      primary key (session_key, plugin_id, namespace)
    ) ${clusteredTable}`,
  ],
};
