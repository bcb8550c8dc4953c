import type { Migration } from "../../migrations/migration.js";

/**
 * Calls of models with their tokens and cost (LLM-030), which are also the reservations of calls that run
 * (LLM-031); and the cost of an agent, a session or a job in addition to its tokens.
 */
export const modelCalls: Migration = {
  name: "0022-model-calls",
  statements: ({ integer, text, table }) => [
    `create table model_calls (
      call_id ${text} not null primary key,
      run_id ${text},
      session_key ${text},
      session_id ${text},
      agent_id ${text} not null,
      job_id ${text},
      provider ${text} not null,
      model ${text} not null,
      input ${integer} not null,
      output ${integer} not null,
      cache_read ${integer} not null,
      cache_write ${integer} not null,
      reasoning ${integer} not null,
      cost ${integer} not null,
      is_estimated ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      settled_at ${integer}
    ) ${table}`,
    // With the cost, so that the sum of a day or a month reads the index only.
    "create index model_calls_age on model_calls (created_at, cost)",
    "create index model_calls_session on model_calls (session_id)",
    "create index model_calls_open on model_calls (expires_at) where settled_at is null",
    `alter table token_totals add column cost ${integer} not null default 0`,
  ],
};
