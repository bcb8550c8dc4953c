import type { Migration } from "./migration.js";

/**
 * Events that the clients of every node receive, and which node wrote a step of a turn or executes a call (SCALE-020,
 * GW-022, SCALE-007).
 */
export const sharedEvents: Migration = {
  name: "0047-shared-events",
  statements: ({ integer, text, table }) => [
    `create table event_log (
      name ${text} not null primary key,
      epoch ${text} not null,
      position ${integer} not null
    ) ${table}`,
    `create table client_events (
      position ${integer} not null primary key,
      event_key ${text} not null,
      name ${text} not null,
      scope ${text} not null,
      session_key ${text},
      payload ${text} not null,
      created_at ${integer} not null
    ) ${table}`,
    "create unique index client_events_key on client_events (event_key)",
    "create index client_events_session on client_events (session_key)",
    `alter table calls add column node_id ${text}`,
    `alter table journal add column node_id ${text}`,
    `alter table journal add column fence ${integer}`,
  ],
};
