import type { BackgroundTasks, TaskSchedule } from "@openclaw/foundation";

/** Interval of the search for idle sessions, in milliseconds. */
const SWEEP_MS = 600_000;

/** Dependencies of {@link SessionsInUse}. */
export interface SessionsInUseDependencies {
  readonly tasks: Pick<BackgroundTasks, "add">;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Returns the time without use after which a session leaves memory, in milliseconds. */
  idleMs(): number;
  /**
   * Returns true when a session has no turn and no other work.
   * @param sessionKey - key of the session
   */
  isFree(sessionKey: string): boolean;
  /**
   * Ends an incarnation that has been idle.
   * @param sessionId - UUID of the incarnation
   */
  ended(sessionId: string): void;
}

/**
 * Sessions that were used since the start of the process. One that was not used for a week (`session.idleTimeoutSeconds`) leaves
 * memory, unless it has work (SUB-029); its rows remain, and the next message loads them. The search for idle ones is a background task; without sessions there is no timer.
 */
export class SessionsInUse {
  readonly #dependencies: SessionsInUseDependencies;
  readonly #used = new Map<string, { readonly sessionId: string; readonly at: number }>();
  readonly #task: TaskSchedule;
  /** True while a search is due. */
  #isArmed = false;

  /** @param dependencies - background tasks, clock, work of sessions, and their end */
  constructor(dependencies: SessionsInUseDependencies) {
    this.#dependencies = dependencies;
    this.#task = dependencies.tasks.add({
      name: "sessions",
      intervalMs: () => SWEEP_MS,
      run: async () => {
        this.#stop();
        this.#sweep();
        if (this.#used.size > 0) this.#arm();
      },
    });
    dependencies.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** Number of sessions in use. */
  get size(): number {
    return this.#used.size;
  }

  /**
   * Records that a session is used now.
   * @param sessionKey - key of the session
   * @param sessionId - UUID of its incarnation
   */
  add(sessionKey: string, sessionId: string): void {
    this.#used.set(sessionKey, { sessionId, at: this.#dependencies.now() });
    this.#arm();
  }

  /**
   * Forgets a session.
   * @param sessionKey - key of the session
   */
  delete(sessionKey: string): void {
    this.#used.delete(sessionKey);
  }

  /** Forgets all sessions, and returns their incarnations. */
  clear(): readonly string[] {
    const sessionIds = [...this.#used.values()].map(({ sessionId }) => sessionId);
    this.#used.clear();
    this.#stop();
    return sessionIds;
  }

  #arm(): void {
    if (this.#isArmed || this.#dependencies.signal.aborted) return;
    this.#isArmed = true;
    this.#task.in(SWEEP_MS);
  }

  #sweep(): void {
    const { now, idleMs, isFree, ended } = this.#dependencies;
    const before = now() - idleMs();
    for (const [sessionKey, { sessionId, at }] of this.#used) {
      if (at > before || !isFree(sessionKey)) continue;
      this.#used.delete(sessionKey);
      ended(sessionId);
    }
  }

  #stop(): void {
    this.#isArmed = false;
    this.#task.cancel();
  }
}
