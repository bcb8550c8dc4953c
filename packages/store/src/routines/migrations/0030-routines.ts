import type { Migration } from "../../migrations/migration.js";

/** Routines, and one row for each of their due times (JOB-026). */
export const routines: Migration = {
  name: "0030-routines",
  statements: ({ integer, text, table, clusteredTable }) => [
    `create table routines (
      routine_id ${text} not null primary key,
      name ${text} not null,
      agent_id ${text} not null,
      session_key ${text} not null unique,
      owner ${text} not null,
      creator ${text} not null,
      asked_in ${text},
      definition ${text} not null,
      scheduled_from ${integer} not null,
      enabled ${integer} not null,
      disabled_reason ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      unique (owner, name)
    ) ${table}`,
    `create table routine_runs (
      routine_id ${text} not null references routines (routine_id) on delete cascade,
      planned_at ${integer} not null,
      origin ${text} not null,
      state ${text} not null,
      reason ${text},
      started_at ${integer},
      ended_at ${integer},
      run_id ${text},
      job_id ${text},
      answer ${text},
      delivery ${text},
      created_at ${integer} not null,
      primary key (routine_id, planned_at)
    ) ${clusteredTable}`,
    "create index routine_runs_by_state on routine_runs (state, planned_at)",
    "create index routine_runs_by_run on routine_runs (run_id)",
    "create index routine_runs_age on routine_runs (ended_at)",
  ],
};
