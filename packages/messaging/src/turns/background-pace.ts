import type { Turn } from "@openclaw/store";
import { isInBackground, type QueuedTurn } from "../sessions/queued-turn.js";

/** Longest wait of a step for the turns of users, which may wait for other things than this process. */
const LONGEST_WAIT_MS = 100;

/**
 * Lets the turns of users go first (SCALE-505): a turn in the background begins its next step when no turn of a user works,
 * or after a short wait.
 */
export class BackgroundPace {
  readonly #waiting = new Set<() => void>();
  #users = 0;

  /**
   * Follows a turn until it ends.
   * @param queued - the turn, which begins now
   */
  follow(queued: Pick<QueuedTurn, "turn" | "outcome" | "watch">): void {
    if (isInBackground(queued.turn)) return;
    let isWorking = false;
    const work = (works: boolean) => {
      if (works === isWorking) return;
      isWorking = works;
      this.#users += works ? 1 : -1;
      if (this.#users === 0) for (const begin of [...this.#waiting]) begin();
    };
    queued.watch((state) => work(state === "working"));
    const ended = () => work(false);
    queued.outcome.then(ended, ended);
  }

  /**
   * Waits before a further step of a turn in the background; returns at once for any other turn.
   * @param turn - the turn
   */
  async beforeStep(turn: Pick<Turn, "trigger">): Promise<void> {
    if (this.#users === 0 || !isInBackground(turn)) return;
    await new Promise<void>((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(begin, LONGEST_WAIT_MS);
      this.#waiting.add(begin);
    });
  }
}
