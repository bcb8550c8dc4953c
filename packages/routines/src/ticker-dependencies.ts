import type { BackgroundTasks, Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Routine, RoutineRun, Store } from "@openclaw/store";
import type { RoutineChanges } from "./changes.js";
import type { RoutineResults } from "./delivery.js";
import type { RoutineRunner } from "./runs/runner.js";
import type { RoutineSettings } from "./settings.js";

/** Timers, and a clock in milliseconds since the epoch. */
export interface RoutineClock {
  readonly timers: Timers;
  now(): number;
}

/** Dependencies of the ticker of routines. */
export interface RoutineTickerDependencies {
  readonly store: Store;
  readonly clock: RoutineClock;
  readonly tasks: Pick<BackgroundTasks, "add">;
  readonly logger: Logger;
  readonly runner: Pick<
    RoutineRunner,
    "activeRun" | "begin" | "replace" | "size" | "storeEnds" | "takeUp"
  >;
  readonly results: Pick<RoutineResults, "deliver">;
  readonly changes: Pick<RoutineChanges, "tell">;
  /** Read at each use, because a reload changes them. */
  settings(): RoutineSettings;
  /** Returns why a routine of the host does not run; undefined when it does, and for others. */
  hostReason(routine: Routine, run: RoutineRun): Promise<string | undefined>;
}
