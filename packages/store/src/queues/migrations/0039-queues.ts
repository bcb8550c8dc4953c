import type { Migration } from "../../migrations/migration.js";

/** Queues of work, and an item for each unfinished job (SCALE-500). A stuck job waits for its repair. */
export const queues: Migration = {
  name: "0039-queues",
  statements: ({ identity, integer, text, table }) => [
    `create table queue_items (
      number ${identity},
      queue ${text} not null,
      item_key ${text} not null,
      singleton_key ${text},
      payload ${text} not null,
      priority ${integer} not null,
      run_at ${integer} not null,
      attempts ${integer} not null,
      max_attempts ${integer} not null,
      backoff_ms ${integer} not null,
      state ${text} not null,
      failure ${text},
      created_at ${integer} not null,
      unique (queue, item_key)
    ) ${table}`,
    "create index queue_items_next on queue_items (queue, state, priority desc, number)",
    "create index queue_items_singleton on queue_items (queue, singleton_key, number)",
    `insert into queue_items
      (queue, item_key, payload, priority, run_at, attempts, max_attempts, backoff_ms, state, created_at)
      select 'job', job_id, '{"jobId":"' || job_id || '"}', priority, created_at, 0, 0, 1000,
        case state when 'stuck' then 'held' else 'waiting' end, created_at
      from jobs where state in ('pending', 'in_progress', 'stuck') order by created_at, job_id`,
  ],
};
