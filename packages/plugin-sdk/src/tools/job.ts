/** Progress of the work of a tool within a job. */
export interface JobProgress {
  /** Amount that is done; at least 0. */
  readonly done: number;
  /** Amount of the whole work, at least `done`; absent while it is not known. */
  readonly total?: number;
  /** Name of the work that is done now, at most 200 characters; the rest is cut off. */
  readonly note?: string;
}

/** The background job in whose turn a tool runs. */
export interface ToolJob {
  /** ID of the job. */
  readonly jobId: string;
  /** Task in one line. */
  readonly title: string;
  /**
   * Reports how far the tool is. Chat, command line and clients show it next to the job, at most once a second, and the
   * job does not count as stuck.
   * @param progress - amount that is done
   * @throws ParameterError for a number or text that is not within its bounds
   */
  progress(progress: JobProgress): void;
}
