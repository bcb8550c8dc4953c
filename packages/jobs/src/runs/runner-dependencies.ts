import type { Messaging } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Job, Store } from "@openclaw/store";
import type { JobChanges } from "../changes.js";
import type { JobReports } from "../reports.js";
import type { JobSettings } from "../settings.js";
import type { JobClock } from "../work-clock.js";

/** The queues of messaging in which the turns of jobs run. */
export type JobTurns = Pick<Messaging, "hostTurns" | "live">;

/** Dependencies of {@link JobRunner}. */
export interface JobRunnerDependencies {
  readonly store: Store;
  readonly messaging: JobTurns;
  readonly changes: Pick<JobChanges, "isAwaited" | "tell">;
  readonly reports: Pick<JobReports, "progress">;
  readonly clock: JobClock;
  readonly logger: Logger;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
  /**
   * Called when a job has left the state `in_progress`.
   * @param job - the job as it is now
   */
  ended(job: Job): void;
  /**
   * Called with a job whose work waits for the answer to its budget request.
   * @param job - the job as it is now
   */
  asked(job: Job): void;
}

/** A turn of a queue, as the runner follows it. */
export type FollowedTurn = ReturnType<Messaging["hostTurns"]["start"]>;

/** Event of a turn. */
export type TurnEvent = Parameters<NonNullable<FollowedTurn["callers"][number]["onEvent"]>>[0];
