import type { Migration } from "../../migrations/migration.js";

/** Jobs with their moves and runs, and the leases of those who work on them (JOB-001, JOB-009). */
export const jobs: Migration = {
  name: "0029-jobs",
  statements: ({ integer, text, table, clusteredTable }) => [
    `create table jobs (
      job_id ${text} not null primary key,
      title ${text} not null,
      description ${text} not null,
      agent_id ${text} not null,
      session_key ${text} not null unique,
      state ${text} not null,
      priority ${integer} not null,
      parent_id ${text},
      depth ${integer} not null,
      creator ${text} not null,
      owner ${text} not null,
      asked_in ${text},
      model ${text},
      max_tokens ${integer} not null,
      used_tokens ${integer} not null,
      max_cost ${integer} not null,
      used_cost ${integer} not null,
      max_iterations ${integer} not null,
      timeout_ms ${integer} not null,
      repair_attempts ${integer} not null,
      last_move ${integer} not null,
      run_id ${text},
      awaits_approval ${integer} not null,
      spent_ms ${integer} not null,
      clock_since ${integer},
      progress_at ${integer},
      result ${text},
      failure ${text},
      delivery ${text},
      created_at ${integer} not null,
      started_at ${integer},
      completed_at ${integer}
    ) ${table}`,
    "create index jobs_by_state on jobs (state, priority, created_at)",
    "create index jobs_by_owner on jobs (owner, created_at)",
    "create index jobs_by_parent on jobs (parent_id)",
    "create index jobs_age on jobs (completed_at)",
    `create table job_moves (
      job_id ${text} not null references jobs (job_id) on delete cascade,
      number ${integer} not null,
      from_state ${text} not null,
      to_state ${text} not null,
      reason ${text},
      at ${integer} not null,
      primary key (job_id, number)
    ) ${clusteredTable}`,
    `create table job_runs (
      run_id ${text} not null primary key,
      job_id ${text} not null references jobs (job_id) on delete cascade,
      token ${integer} not null,
      started_at ${integer} not null,
      ended_at ${integer},
      answer ${text},
      outcome ${text},
      reason ${text}
    ) ${table}`,
    "create index job_runs_by_job on job_runs (job_id, started_at)",
    `create table leases (
      lease_key ${text} not null primary key,
      owner ${text} not null,
      token ${integer} not null,
      expires_at ${integer} not null
    ) ${table}`,
  ],
};
