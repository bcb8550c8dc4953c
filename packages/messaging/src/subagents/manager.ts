import { logRejection } from "@openclaw/agent";
import type { TimerHandle, Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store, Subagent, SubagentStopReason } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { SubagentReports } from "./ending.js";

/** Clock for the deadlines of subagents. */
export interface SubagentClock {
  readonly timers: Timers;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Dependencies of {@link SubagentManager}. */
export interface SubagentManagerDependencies {
  readonly store: Pick<Store, "sessions">;
  readonly live: Pick<LiveSessions, "cancel">;
  readonly reports: Pick<SubagentReports, "settle">;
  readonly logger: Logger;
}

/** Manages running subagents: their deadlines, their stops, and the reports to their parents (TURN-052). */
export class SubagentManager {
  readonly #dependencies: SubagentManagerDependencies;
  readonly #clock: SubagentClock;
  readonly #deadlines = new Map<string, TimerHandle>();

  /**
   * @param dependencies - store, live sessions, reports and log
   * @param clock - clock for the deadlines
   */
  constructor(dependencies: SubagentManagerDependencies, clock: SubagentClock) {
    this.#dependencies = dependencies;
    this.#clock = clock;
  }

  /**
   * Stops a subagent at its deadline, if it has one.
   * @param now - milliseconds since the epoch
   */
  watchDeadline({ runId, deadlineAt }: Subagent, now: number): void {
    if (deadlineAt === undefined) return;
    const timer = this.#clock.timers.setTimeout(
      () => {
        this.#deadlines.delete(runId);
        logRejection(this.stop(runId, "timeout"), this.#dependencies.logger);
      },
      Math.max(0, deadlineAt - now),
    );
    this.#deadlines.set(runId, timer);
  }

  /**
   * Reports the end of a subagent's turn to its parent. Does nothing while the turn has not ended, and when
   * the parent was already notified. A failure is logged; the next start tries again.
   * @param runId - ID of the subagent's turn
   */
  async settle(runId: string): Promise<void> {
    const { reports, logger } = this.#dependencies;
    try {
      if (await reports.settle(runId)) this.#clearDeadline(runId);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `the end of a subagent could not be reported to its parent: ${message}`;
      logger.error(problem, { code, runId });
    }
  }

  /**
   * Stops a subagent and its own subagents.
   * @param runId - ID of the subagent's turn
   * @returns false when it has ended or is already being stopped
   */
  async stop(runId: string, reason: SubagentStopReason = "stopped"): Promise<boolean> {
    const { store, live } = this.#dependencies;
    if (!(await store.sessions.subagents.stop(runId, reason))) return false;
    this.#clearDeadline(runId);
    const subagent = await store.sessions.subagents.get(runId);
    if (subagent === undefined) return false;
    live.cancel(subagent.sessionKey, runId);
    await this.stopSubagentsOf(subagent.sessionKey);
    return true;
  }

  /**
   * Stops every subagent of a session.
   * @param sessionKey - key of the parent session
   * @returns number of stopped subagents
   */
  async stopSubagentsOf(sessionKey: string): Promise<number> {
    const running = await this.#dependencies.store.sessions.subagents.live(sessionKey);
    const stopped = await Promise.all(running.map(({ runId }) => this.stop(runId)));
    return stopped.filter(Boolean).length;
  }

  /** Resumes the subagents of an earlier process once their turns are in their queues. */
  async recover(): Promise<void> {
    const { store, live } = this.#dependencies;
    const now = this.#clock.now();
    for (const subagent of await store.sessions.subagents.live()) {
      const { runId, sessionKey, stopReason } = subagent;
      if (stopReason !== undefined) live.cancel(sessionKey, runId);
      else this.watchDeadline(subagent, now);
      await this.settle(runId);
    }
  }

  /** Clears every deadline timer. */
  close(): void {
    for (const runId of [...this.#deadlines.keys()]) this.#clearDeadline(runId);
  }

  #clearDeadline(runId: string): void {
    if (!this.#deadlines.has(runId)) return;
    this.#clock.timers.clearTimeout(this.#deadlines.get(runId));
    this.#deadlines.delete(runId);
  }
}
