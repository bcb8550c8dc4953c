import type { Migration } from "./migration.js";

/** The journal of turns, and the token totals of agents and sessions. */
export const journal: Migration = {
  name: "0004-journal",
  statements: ({ integer, text, clusteredTable }) => [
    `create table journal (
      run_id ${text} not null,
      seq ${integer} not null,
      kind ${text} not null,
      format ${integer} not null,
      step ${text} not null,
      created_at ${integer} not null,
      primary key (run_id, seq)
    ) ${clusteredTable}`,
    `create index journal_created on journal (created_at)`,

    `create table token_totals (
      scope ${text} not null,
      id ${text} not null,
      tokens ${integer} not null,
      primary key (scope, id)
    ) ${clusteredTable}`,
  ],
};
