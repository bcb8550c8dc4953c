import type { Migration } from "../../migrations/migration.js";

/** Position from which a transcript is sent to models, and the summary of the part before. */
export const compactions: Migration = {
  name: "0005-compactions",
  statements: ({ integer, text, clusteredTable }) => [
    `create table compactions (
      session_id ${text} not null references session_incarnations (session_id) on delete cascade,
      up_to_seq ${integer} not null,
      run_id ${text},
      strategy ${text} not null,
      summary ${text},
      annotation ${text},
      compacted_count ${integer} not null,
      created_at ${integer} not null,
      primary key (session_id, up_to_seq)
    ) ${clusteredTable}`,
  ],
};
