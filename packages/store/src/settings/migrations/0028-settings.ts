import type { Migration } from "../../migrations/migration.js";

/** Settings of the operator that take precedence over the configuration file (HOST-007). */
export const settings: Migration = {
  name: "0028-settings",
  statements: ({ integer, text, table }) => [
    `create table settings (
      path ${text} not null,
      value ${text} not null,
      source ${text} not null,
      updated_at ${integer} not null,
      primary key (path)
    ) ${table}`,
  ],
};
