import { sweepByAge } from "../database/age-sweep.js";
import type { ContextDefinition } from "../database/context-definition.js";
import { removeBySession } from "../sessions/session-rows.js";
import { secrets } from "./migrations/0018-secrets.js";
import { secretUses } from "./migrations/0023-secret-uses.js";
import { credentialRequests } from "./migrations/0025-credential-requests.js";
import type { SecretSchema } from "./schema.js";

/** Days that uses of secrets are kept. */
const RETENTION_DAYS = { secretUse: 90 };

/** The secrets context: encrypted values by owner and name, the log of their uses, and sessions that wait for one. */
export const SECRETS: ContextDefinition<SecretSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [secrets, secretUses, credentialRequests],
  retentionDays: RETENTION_DAYS,
  tables: {
    secrets: {
      key: ["owner", "name"],
      // An operator deletes secrets; they do not belong to a session.
      retention: "kept",
      removal: "kept",
    },
    secret_uses: {
      key: ["position"],
      isNumbered: true,
      retention: {
        subject: "secretUse",
        sweep: sweepByAge({ table: "secret_uses", key: ["position"], time: "at" }),
      },
      // The log outlives the secret, and no user can erase it.
      removal: "kept",
    },
    credential_requests: {
      key: ["session_key"],
      // At most one for a session; the next one replaces an expired one.
      retention: "kept",
      removal: removeBySession("credential_requests"),
    },
  },
};
