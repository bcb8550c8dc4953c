import type { BackgroundTasks, TaskSchedule } from "@openclaw/foundation";
import type { LiveSession } from "./live-session.js";
import type { LiveSessions } from "./live-sessions.js";

/** Interval of the search for idle sessions, in milliseconds. */
const SWEEP_MS = 600_000;

/** Dependencies of {@link SessionsInUse}. */
export interface SessionsInUseDependencies {
  readonly live: LiveSessions;
  readonly tasks: Pick<BackgroundTasks, "add">;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Returns the time without use after which a session leaves memory, in milliseconds. */
  idleMs(): number;
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
  readonly #task: TaskSchedule;
  #size = 0;
  /** True while a search is due. */
  #isArmed = false;

  /** @param dependencies - sessions, background tasks, clock, and the end of sessions */
  constructor(dependencies: SessionsInUseDependencies) {
    this.#dependencies = dependencies;
    this.#task = dependencies.tasks.add({
      isLocal: true,
      name: "sessions",
      intervalMs: () => SWEEP_MS,
      run: async () => {
        this.#stop();
        this.#sweep();
        if (this.#size > 0) this.#arm();
      },
    });
    dependencies.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** Number of sessions in use. */
  get size(): number {
    return this.#size;
  }

  /**
   * Records that a session is used now.
   * @param sessionId - UUID of its incarnation
   */
  add(sessionKey: string, sessionId: string): void {
    const { live, now } = this.#dependencies;
    const session = live.of(sessionKey);
    if (session.use === undefined) this.#size += 1;
    session.use = { sessionId, at: now() };
    this.#arm();
  }

  /** Forgets a session. */
  delete(sessionKey: string): void {
    const session = this.#dependencies.live.find(sessionKey);
    if (session !== undefined) this.#end(session);
  }

  /** Forgets all sessions, and returns their incarnations. */
  clear(): readonly string[] {
    const sessionIds: string[] = [];
    for (const session of this.#dependencies.live) {
      if (session.use !== undefined) sessionIds.push(session.use.sessionId);
      this.#end(session);
    }
    this.#stop();
    return sessionIds;
  }

  #arm(): void {
    if (this.#isArmed || this.#dependencies.signal.aborted) return;
    this.#isArmed = true;
    this.#task.in(SWEEP_MS);
  }

  #sweep(): void {
    const { live, now, idleMs, ended } = this.#dependencies;
    const before = now() - idleMs();
    for (const session of live) {
      const { use } = session;
      if (use === undefined || use.at > before || !session.isFree("turns")) continue;
      this.#end(session);
      ended(use.sessionId);
    }
  }

  #end(session: LiveSession): void {
    if (session.use === undefined) return;
    session.use = undefined;
    this.#size -= 1;
    session.release();
  }

  #stop(): void {
    this.#isArmed = false;
    this.#task.cancel();
  }
}
