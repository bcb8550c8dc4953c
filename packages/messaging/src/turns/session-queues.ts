import type { Turn } from "@openclaw/store";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import type { TurnPlace, TurnQueue } from "./queue.js";

/** A turn that waits for its session or runs in it. */
export interface LinedTurn {
  readonly turn: Turn;
  /** Who waits for its reply; those whose messages joined it come last. */
  readonly callers: Caller[];
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  readonly isRunning: boolean;
  /** What became of it. */
  readonly outcome: Promise<ReplyOutcome>;
  /** Turns whose message it is to take in while it runs, oldest first. */
  readonly steering: LinedTurn[];
  /**
   * Waits for something without keeping others from running; the session stays this turn's.
   * @param wait - does no work of its own
   */
  pause<Result>(wait: () => Promise<Result>): Promise<Result>;
  /** Lets this turn be answered by another that took its message in; it will not run. */
  answeredBy(other: LinedTurn): void;
}

/** The turns of each session: one runs, the others wait in their order (TURN-056). */
export interface TurnLines {
  /**
   * Lines a turn up.
   * @param turn - stored as queued
   * @param callers - who waits for it
   * @param work - runs it, unless another turn took its message in
   */
  enter(
    turn: Turn,
    callers: readonly Caller[],
    work: (lined: LinedTurn) => Promise<ReplyOutcome>,
  ): LinedTurn;
  /** Turns of a session that have not ended, in their order. */
  of(sessionKey: string): readonly LinedTurn[];
  /**
   * Ends the turn that runs in a session early.
   * @returns whether one ran
   */
  interrupt(sessionKey: string): boolean;
  /**
   * Ends one turn early, whether it runs or waits.
   * @returns whether it stands in its line
   */
  cancel(sessionKey: string, runId: string): boolean;
}

/**
 * Makes the lines of a host.
 * @param queue - runs turns one at a time per session
 */
export function createTurnLines(queue: TurnQueue): TurnLines {
  const lines = new Map<string, EnteredTurn[]>();

  function leave(entered: EnteredTurn): void {
    const { sessionKey } = entered.turn;
    const rest = (lines.get(sessionKey) ?? []).filter((each) => each !== entered);
    if (rest.length === 0) lines.delete(sessionKey);
    else lines.set(sessionKey, rest);
  }

  return {
    enter(turn, callers, work) {
      const { sessionKey } = turn;
      const entered: EnteredTurn = new EnteredTurn(
        turn,
        callers,
        (run) =>
          queue.run(sessionKey, async (place) => {
            try {
              return await run(place);
            } finally {
              leave(entered);
            }
          }),
        work,
      );
      lines.set(sessionKey, [...(lines.get(sessionKey) ?? []), entered]);
      return entered;
    },
    of: (sessionKey) => lines.get(sessionKey) ?? [],
    interrupt(sessionKey) {
      const running = lines.get(sessionKey)?.find(({ isRunning }) => isRunning);
      running?.interruption.abort(new Error("the turn was interrupted"));
      return running !== undefined;
    },
    cancel(sessionKey, runId) {
      const entered = lines.get(sessionKey)?.find(({ turn }) => turn.runId === runId);
      entered?.interruption.abort(new Error("the turn was interrupted"));
      return entered !== undefined;
    },
  };
}

/** A turn in its line; it is there until `outcome` settles. */
class EnteredTurn implements LinedTurn {
  readonly turn: Turn;
  readonly callers: Caller[];
  readonly steering: LinedTurn[] = [];
  readonly interruption = new AbortController();
  readonly outcome: Promise<ReplyOutcome>;
  isRunning = false;
  #answeredBy: LinedTurn | undefined;
  #place: TurnPlace | undefined;

  constructor(
    turn: Turn,
    callers: readonly Caller[],
    run: (work: (place: TurnPlace) => Promise<ReplyOutcome>) => Promise<ReplyOutcome>,
    work: (lined: LinedTurn) => Promise<ReplyOutcome>,
  ) {
    this.turn = turn;
    this.callers = [...callers];
    this.outcome = run(async (place) => {
      this.#place = place;
      // The other turn stood before this one, so it has ended.
      if (this.#answeredBy !== undefined) return await this.#answeredBy.outcome;
      this.isRunning = true;
      return await work(this);
    });
  }

  get signal(): AbortSignal {
    return this.interruption.signal;
  }

  pause<Result>(wait: () => Promise<Result>): Promise<Result> {
    return this.#place === undefined ? wait() : this.#place.without(wait);
  }

  answeredBy(other: LinedTurn): void {
    this.#answeredBy = other;
  }
}
