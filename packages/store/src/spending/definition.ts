import { sweepByAge } from "../database/age-sweep.js";
import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { modelCalls } from "./migrations/0022-model-calls.js";
import type { SpendingSchema } from "./schema.js";

/** Days that a call is kept; a budget of a month needs 31. */
const RETENTION_DAYS = { modelCall: 400 };

/** Keeps what the calls of a removed session cost, without the session: a budget is not reset by a removal. */
const forgetSession: Removal = (session_key, unit) =>
  unit
    .query()
    .updateTable("model_calls")
    .set({ session_key: null, session_id: null, run_id: null })
    .where("session_key", "=", session_key)
    .execute();

/** The spending context: calls of models and what they cost. */
export const SPENDING: ContextDefinition<SpendingSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [modelCalls],
  retentionDays: RETENTION_DAYS,
  tables: {
    model_calls: {
      key: ["call_id"],
      retention: {
        subject: "modelCall",
        sweep: sweepByAge({ table: "model_calls", key: ["call_id"], time: "created_at" }),
      },
      removal: forgetSession,
    },
  },
};
