import type { ContextDefinition } from "../database/context-definition.js";
import { secrets } from "./migrations/0018-secrets.js";
import type { SecretSchema } from "./schema.js";

/** The secrets context: encrypted values by owner and name. */
export const SECRETS: ContextDefinition<SecretSchema> = {
  migrations: [secrets],
  retentionDays: {},
  tables: {
    secrets: {
      key: ["owner", "name"],
      // An operator deletes secrets; they do not belong to a session.
      retention: "kept",
      removal: "kept",
    },
  },
};
