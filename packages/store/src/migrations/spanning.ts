import { initial } from "./0001-initial.js";
import { journal } from "./0004-journal.js";
import { sessionEnds } from "./0006-session-ends.js";
import { retention } from "./0008-retention.js";
import { traces } from "./0009-traces.js";
import { approvals } from "./0010-approvals.js";
import { threads } from "./0019-threads.js";
import { cheaperTurns } from "./0020-cheaper-turns.js";
import { listedRuns } from "./0036-listed-runs.js";
import { sharedEvents } from "./0047-shared-events.js";
import type { Migration } from "./migration.js";

/** Migrations that change tables of more than one context. */
export const SPANNING_MIGRATIONS: readonly Migration[] = [
  initial,
  journal,
  sessionEnds,
  retention,
  traces,
  approvals,
  threads,
  cheaperTurns,
  listedRuns,
  sharedEvents,
];
