import type { ContextDefinition } from "../database/context-definition.js";
import { pluginValues } from "./migrations/0002-plugin-values.js";
import type { PluginSchema } from "./schema.js";

/** The plugins context: values that plugins store by key. */
export const PLUGINS: ContextDefinition<PluginSchema> = {
  migrations: [pluginValues],
  retentionDays: {},
  tables: {
    plugin_values: {
      key: ["plugin_id", "key"],
      // Each plugin decides how long to keep its values, which do not belong to one session.
      retention: "kept",
      removal: "kept",
    },
  },
};
