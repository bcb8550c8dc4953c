import { sweepByAge } from "../database/age-sweep.js";
import type { ContextDefinition } from "../database/context-definition.js";
import { calls } from "./migrations/0016-calls.js";
import type { CallSchema } from "./schema.js";

/** Days that a call is kept, so that a repeat returns its first outcome (GW-022). */
const RETENTION_DAYS = { call: 1 };

/** The calls context: calls of clients with an idempotency key. */
export const CALLS: ContextDefinition<CallSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [calls],
  retentionDays: RETENTION_DAYS,
  tables: {
    calls: {
      key: ["caller_id", "idempotency_key"],
      retention: {
        subject: "call",
        sweep: sweepByAge({
          table: "calls",
          key: ["caller_id", "idempotency_key"],
          time: "begun_at",
        }),
      },
      // A repeat of the call that deleted a session returns the outcome of the first.
      removal: "kept",
    },
  },
};
