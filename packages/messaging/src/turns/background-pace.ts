import type { Turn } from "@openclaw/store";
import { isInBackground, type QueuedTurn } from "../sessions/queued-turn.js";

/** Longest wait of a step for the turns of users, which may wait for other things than this process. */
const LONGEST_WAIT_MS = 100;
/** Time without a turn of a user after which steps begin: the next message of a conversation often comes at once. */
const QUIET_MS = 10;
/** Least time between the steps that waited, so that a turn of a user that begins meanwhile shares the process with few of them. */
const APART_MS = 10;
/** Time after which the next step begins although the one before is not done: it may wait for a model. */
const UNFINISHED_MS = 50;

interface WaitingStep {
  readonly runId: string;
  readonly since: number;
  begin(): void;
}

/**
 * Lets the turns of users go first (SCALE-505): a turn in the background begins its next step when no turn of a user works,
 * or after a short wait, and steps that waited begin one after another.
 */
export class BackgroundPace {
  readonly #waiting: WaitingStep[] = [];
  #users = 0;
  #quietSince = Number.NEGATIVE_INFINITY;
  /** Step that began last after a wait. */
  #latest = { runId: "", begun: Number.NEGATIVE_INFINITY, isDone: true };
  #timer: NodeJS.Timeout | undefined;

  /**
   * Follows a turn until it ends.
   * @param queued - the turn, which begins now
   */
  follow(queued: Pick<QueuedTurn, "turn" | "outcome" | "watch">): void {
    if (isInBackground(queued.turn)) {
      const done = () => this.#done(queued.turn.runId);
      queued.outcome.then(done, done);
      return;
    }
    let isWorking = false;
    const work = (works: boolean) => {
      if (works === isWorking) return;
      isWorking = works;
      this.#users += works ? 1 : -1;
      if (this.#users === 0) this.#quietSince = performance.now();
      this.#schedule();
    };
    queued.watch((state) => work(state === "working"));
    const ended = () => work(false);
    queued.outcome.then(ended, ended);
  }

  /** Waits before a further step of a turn in the background; returns at once for any other turn. */
  async beforeStep(turn: Pick<Turn, "trigger" | "runId">): Promise<void> {
    if (!isInBackground(turn)) return;
    const { runId } = turn;
    this.#done(runId);
    const now = performance.now();
    const isQuiet = this.#users === 0 && now - this.#quietSince >= QUIET_MS;
    if (isQuiet && this.#waiting.length === 0) return;
    await new Promise<void>((begin) => {
      this.#waiting.push({ runId, since: now, begin });
      this.#schedule();
    });
  }

  #done(runId: string): void {
    if (this.#latest.runId !== runId || this.#latest.isDone) return;
    this.#latest.isDone = true;
    this.#schedule();
  }

  /**
   * Begins the step that has waited longest, or sets the timer for it. A timer that is set remains: turns of users can follow
   * each other without a moment in which a new one would fire.
   */
  #schedule(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const due = this.#users === 0 ? this.#quietSince + QUIET_MS : first.since + LONGEST_WAIT_MS;
    const { begun, isDone } = this.#latest;
    const at = Math.max(due, begun + (isDone ? APART_MS : UNFINISHED_MS));
    const now = performance.now();
    if (at > now) {
      this.#timer ??= setTimeout(
        () => {
          this.#timer = undefined;
          this.#schedule();
        },
        Math.min(at - now, QUIET_MS),
      );
      return;
    }
    this.#latest = { runId: first.runId, begun: now, isDone: false };
    this.#waiting.shift();
    first.begin();
    this.#schedule();
  }
}
