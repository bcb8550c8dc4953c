import type { WorkerMount } from "@openclaw/core-tools";

/** Availability of a runtime on this machine. */
export type RuntimeState =
  | {
      readonly isAvailable: true;
      /** Limit that it does not offer. */
      readonly notice?: string | undefined;
      /** Version of a program of the user. */
      readonly version?: string | undefined;
    }
  | {
      readonly isAvailable: false;
      /** Missing part. */
      readonly cause: string;
      /** Step that provides it. */
      readonly remedy: string;
    };

/** Limits of a worker (JOB-043). */
export interface WorkerLimits {
  readonly memoryBytes: number;
  readonly processes: number;
}

/** A worker to start. */
export interface WorkerStart {
  readonly jobId: string;
  /** Arguments after the program of Node. */
  readonly arguments: readonly string[];
  /** Path of Node inside when it is mounted; that of the image when absent. */
  readonly program: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly WorkerMount[];
  readonly limits: WorkerLimits;
}

/** A running worker. */
export interface RunningWorker {
  /** Resolves when it has ended and is cleared up; never rejects. */
  readonly ended: Promise<WorkerEnd>;
  /** Ends it with all its processes, and resolves when it is cleared up. */
  stop(): Promise<void>;
}

/** End of a worker. */
export interface WorkerEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** Last part of its output. */
  readonly output: string;
}

/**
 * Separates workers from the host (JOB-043). Implementations differ in their program only: each shows a worker its mounts and
 * nothing else of the machine, within its limits.
 */
export interface WorkerBackend {
  readonly name: string;
  /** Returns whether it works, determined by a real probe. */
  state(): Promise<RuntimeState>;
  /**
   * Starts a worker.
   * @throws WorkerFailedError when it does not start
   */
  start(worker: WorkerStart): Promise<RunningWorker>;
  /** Removes the leftovers of workers of earlier processes; returns their number. 0 where it does not work. */
  sweep(): Promise<number>;
}
