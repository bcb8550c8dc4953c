import type { Migration } from "../../migrations/migration.js";

/** The key-value store of plugins. */
export const pluginValues: Migration = {
  name: "0002-plugin-values",
  statements: ({ integer, text, clusteredTable }) => [
    `create table plugin_values (
      plugin_id ${text} not null,
      key ${text} not null,
      value ${text} not null,
      updated_at ${integer} not null,
      primary key (plugin_id, key)
    ) ${clusteredTable}`,
  ],
};
