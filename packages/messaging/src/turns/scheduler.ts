import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { QueuedTurn, ScheduledTurn, SessionTurnQueues } from "../sessions/session-queues.js";
import type { ApprovalWaits } from "./approval-wait.js";
import type { TurnRunner } from "./runner.js";

/** Dependencies of {@link TurnScheduler}. */
export interface TurnSchedulerDependencies {
  readonly turnQueues: Pick<SessionTurnQueues, "enter" | "idle">;
  readonly runner: Pick<TurnRunner, "joined" | "run">;
  readonly waits: Pick<ApprovalWaits, "close">;
}

/** Runs stored turns in the order of their sessions. */
export class TurnScheduler {
  readonly #dependencies: TurnSchedulerDependencies;

  /** @param dependencies - queues, runner and waits for approval */
  constructor(dependencies: TurnSchedulerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Queues a turn and runs it after the turns before it.
   * @param scheduled - the stored turn, not ended, and the receivers of its reply
   * @param context - context of the hooks of its message
   */
  schedule(scheduled: ScheduledTurn, context: MessageContext): QueuedTurn {
    const { turnQueues, runner } = this.#dependencies;
    return turnQueues.enter(
      scheduled,
      (queued) => runner.run(queued, context),
      (outcome) => runner.joined(scheduled.turn, outcome),
    );
  }

  /** Suspends the turns that wait for approval; the next start resumes them. */
  suspendWaiting(): void {
    this.#dependencies.waits.close();
  }

  /** Resolves when no turn is left. */
  idle(): Promise<void> {
    return this.#dependencies.turnQueues.idle();
  }
}
