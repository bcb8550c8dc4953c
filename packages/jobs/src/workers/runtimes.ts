import type { RuntimeState, WorkerBackend } from "./backends/backend.js";
import { JobModeUnavailableError } from "./errors.js";

/** A runtime of workers, and whether it works. */
export interface Runtime {
  readonly name: string;
  readonly state: RuntimeState;
}

/** Returns the backends in the order in which they are preferred. */
export class WorkerRuntimes {
  readonly #backends: readonly WorkerBackend[];
  /** Returns the runtime that the configuration names; undefined for the first that works. */
  readonly #chosen: () => string | undefined;

  /**
   * @param backends - backends, the preferred one first
   * @param chosen - returns the name in the configuration
   */
  constructor(backends: readonly WorkerBackend[], chosen: () => string | undefined) {
    this.#backends = backends;
    this.#chosen = chosen;
  }

  /** Returns all runtimes with their states. */
  async all(): Promise<readonly Runtime[]> {
    return await Promise.all(
      this.#backends.map(async (backend) => ({ name: backend.name, state: await backend.state() })),
    );
  }

  /**
   * Returns the backend that runs the jobs of a mode.
   * @param mode - mode, for the error
   * @throws JobModeUnavailableError when none works
   */
  async select(mode: string): Promise<WorkerBackend> {
    const chosen = this.#chosen();
    const problems: string[] = [];
    for (const backend of this.#backends) {
      if (chosen !== undefined && chosen !== backend.name) continue;
      const state = await backend.state();
      if (state.isAvailable) return backend;
      problems.push(`${backend.name}: ${state.cause} (${state.remedy})`);
    }
    throw new JobModeUnavailableError(mode, problems);
  }

  /** Removes the leftovers of workers of earlier processes; returns their number. */
  async sweep(): Promise<number> {
    let removed = 0;
    // Without a probe, which would cost each start a process.
    for (const backend of this.#backends) removed += await backend.sweep();
    return removed;
  }
}
