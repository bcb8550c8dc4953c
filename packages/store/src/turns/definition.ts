import type { ContextDefinition } from "../database/context-definition.js";
import { removeByRun, removeBySession } from "../sessions/session-rows.js";
import { removeJournals, removeTraces } from "./retention.js";
import type { TurnSchema } from "./schema.js";

const RETENTION_DAYS = {
  /** Steps of ended turns. */
  journal: 30,
  /** Traces of the hooks of runs. */
  trace: 7,
};

/** The turns context: turns, their journals and their traces. */
export const TURNS: ContextDefinition<TurnSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [],
  retentionDays: RETENTION_DAYS,
  tables: {
    turns: {
      key: ["run_id"],
      dependsOn: ["inbox", "session_incarnations"],
      // Small rows that record how each turn ended.
      retention: "kept",
      removal: removeBySession("turns"),
    },
    journal: {
      key: ["run_id", "seq"],
      dependsOn: ["turns"],
      retention: { subject: "journal", sweep: removeJournals },
      removal: removeByRun("journal"),
    },
    traces: {
      key: ["run_id", "segment"],
      dependsOn: ["turns"],
      retention: { subject: "trace", sweep: removeTraces },
      removal: removeByRun("traces"),
    },
  },
};
