import type { ContextDefinition } from "../database/context-definition.js";
import { settings } from "./migrations/0028-settings.js";
import type { SettingSchema } from "./schema.js";

/** The settings context: values of the configuration that the operator stores in the database. */
export const SETTINGS: ContextDefinition<SettingSchema> = {
  migrations: [settings],
  retentionDays: {},
  tables: {
    settings: {
      key: ["path"],
      // The operator removes settings; they do not belong to a session.
      retention: "kept",
      removal: "kept",
    },
  },
};
