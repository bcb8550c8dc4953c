import type { Migration } from "./migration.js";

/**
 * Policy decisions about tool calls, the policies that decided, and traces of the hooks of runs.
 */
export const traces: Migration = {
  name: "0009-traces",
  statements: ({ identity, integer, text, table, clusteredTable }) => [
    `create table policy_snapshots (
      id ${text} not null primary key,
      snapshot ${text} not null,
      created_at ${integer} not null
    ) ${table}`,

    `create table policy_decisions (
      position ${identity},
      decision_id ${text} not null,
      policy_hash ${text} not null,
      snapshot_id ${text} not null references policy_snapshots (id),
      run_id ${text} not null,
      tool_call_id ${text} not null,
      session_key ${text} not null,
      agent_id ${text} not null,
      tool ${text} not null,
      input ${text} not null,
      allowed ${integer} not null,
      decided_by ${text} not null,
      at ${integer} not null
    ) ${table}`,
    "create index policy_decisions_decision on policy_decisions (decision_id)",
    "create unique index policy_decisions_call on policy_decisions (run_id, tool_call_id, decision_id, snapshot_id)",
    "create index policy_decisions_snapshot on policy_decisions (snapshot_id)",
    "create index policy_decisions_at on policy_decisions (at)",

    `create table traces (
      run_id ${text} not null,
      segment ${integer} not null,
      trace_id ${text} not null,
      span_id ${text} not null,
      hooks ${text} not null,
      created_at ${integer} not null,
      primary key (run_id, segment)
    ) ${clusteredTable}`,
    "create index traces_created on traces (created_at)",
  ],
};
