import type { Migration } from "../../migrations/migration.js";

/** Subagents that turns spawned, and their outcomes. */
export const subagents: Migration = {
  name: "0011-subagents",
  statements: ({ identity, integer, text, table }) => [
    `create table subagents (
      position ${identity},
      run_id ${text} not null unique,
      session_key ${text} not null unique references sessions (session_key) on delete cascade,
      parent_session_key ${text} not null,
      parent_run_id ${text} not null,
      depth ${integer} not null,
      label ${text},
      parent_tools ${text} not null,
      tools ${text},
      requester ${text} not null,
      delivery_origin ${text},
      created_at ${integer} not null,
      deadline_at ${integer},
      stop_reason ${text},
      result ${text},
      outcome ${text},
      error ${text},
      settled_at ${integer}
    ) ${table}`,
    "create index subagents_parent on subagents (parent_session_key, position)",
    "create index subagents_live on subagents (parent_session_key) where settled_at is null",
  ],
};
