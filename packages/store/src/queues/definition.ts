import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { queues } from "./migrations/0039-queues.js";
import { signals } from "./migrations/0041-signals.js";
import type { QueueSchema } from "./schema.js";

/** Removes the items of the jobs of a session. */
const removeItemsOfJobs: Removal = (session_key, unit) =>
  unit
    .query()
    .deleteFrom("queue_items")
    .where("queue", "=", "job")
    .where("item_key", "in", (inner) =>
      inner.selectFrom("jobs").select("job_id").where("session_key", "=", session_key),
    )
    .execute();

/** The queues context: items of work that wait for their turn, and signals. */
export const QUEUES: ContextDefinition<QueueSchema> = {
  migrations: [queues, signals],
  retentionDays: {},
  tables: {
    queue_items: {
      key: ["number"],
      isNumbered: true,
      dependsOn: ["jobs"],
      // An item is removed when its work ends; a dead one waits for the operator.
      retention: "kept",
      removal: removeItemsOfJobs,
    },
    signals: {
      key: ["signal_id"],
      // The one who waits for it removes it; it does not belong to a session.
      retention: "kept",
      removal: "kept",
    },
  },
};
