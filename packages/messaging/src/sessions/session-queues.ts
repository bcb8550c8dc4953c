import type { Turn } from "@openclaw/store";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import { isInBackground } from "../turns/background.js";
import type { TurnPlace, TurnQueue } from "./queue.js";

/** State of a queued turn: it waits for its session or a place, works, or waits for an approval. */
export type QueuedState = "waiting" | "working" | "paused";

/** A turn that waits for its session or runs in it. */
export interface QueuedTurn {
  readonly turn: Turn;
  /** Receivers of its reply; those whose messages were merged into it come last. */
  readonly callers: Caller[];
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  readonly isRunning: boolean;
  /** True if the turn was stored as running. */
  readonly hasBegun: boolean;
  /** Settles with the outcome of the turn. */
  readonly outcome: Promise<ReplyOutcome>;
  /** Turns whose messages it includes while it runs, oldest first. */
  readonly steering: QueuedTurn[];
  /**
   * Waits without blocking other turns; the session stays occupied by this turn.
   * @param wait - wait that does no work
   */
  pause<Result>(wait: () => Promise<Result>): Promise<Result>;
  /**
   * Tells the state of the turn at once, and each change of it.
   * @param observer - receives the state
   */
  watch(observer: (state: QueuedState) => void): void;
  /** Marks this turn as answered by another that included its message; it will not run. */
  answeredBy(other: QueuedTurn): void;
}

/** A stored turn that enters its queue. */
export interface ScheduledTurn {
  readonly turn: Turn;
  /** Receivers of its reply. */
  readonly callers: readonly Caller[];
  /** Set if this process stored it as running; a turn that was running in an earlier one begins again. */
  readonly hasBegun?: boolean | undefined;
}

/** Queues the turns of each session: one runs, the others wait in order (TURN-056). */
export class SessionTurnQueues {
  readonly #queue: TurnQueue;
  readonly #entries = new Map<string, QueueEntry[]>();

  /** @param queue - runs turns one at a time per session */
  constructor(queue: TurnQueue) {
    this.#queue = queue;
  }

  /**
   * Queues a turn.
   * @param scheduled - the stored turn and the receivers of its reply
   * @param work - runs it, unless another turn included its message
   * @param joined - receives the outcome of that other turn
   */
  enter(
    scheduled: ScheduledTurn,
    work: (queued: QueuedTurn) => Promise<ReplyOutcome>,
    joined?: (outcome: ReplyOutcome) => void,
  ): QueuedTurn {
    const { sessionKey } = scheduled.turn;
    const entry: QueueEntry = new QueueEntry(
      scheduled,
      (run) =>
        this.#queue.run(
          sessionKey,
          async (place) => {
            try {
              return await run(place);
            } finally {
              this.#remove(entry);
            }
          },
          originOf(scheduled.turn),
        ),
      work,
      joined,
    );
    this.#entries.set(sessionKey, [...(this.#entries.get(sessionKey) ?? []), entry]);
    return entry;
  }

  /**
   * Returns the turns of a session that have not ended, in order.
   * @param sessionKey - key of the session
   */
  of(sessionKey: string): readonly QueuedTurn[] {
    return this.#entries.get(sessionKey) ?? [];
  }

  /**
   * Returns true if a session has no turn, and no other work between its turns.
   * @param sessionKey - key of the session
   */
  isFree(sessionKey: string): boolean {
    return this.#queue.isFree(sessionKey);
  }

  /**
   * Returns true if a turn of a session would run at once.
   * @param sessionKey - key of the session
   */
  runsAtOnce(sessionKey: string): boolean {
    return this.#queue.hasPlace && this.#queue.isFree(sessionKey);
  }

  /**
   * Runs work between the turns of a session.
   * @param sessionKey - key of the session
   * @param work - function that is called when the turns before it have ended
   */
  exclusive<Result>(sessionKey: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(sessionKey, work);
  }

  /**
   * Interrupts the turn that runs in a session.
   * @param sessionKey - key of the session
   * @returns true when a turn was running
   */
  interrupt(sessionKey: string): boolean {
    const running = this.#entries.get(sessionKey)?.find(({ isRunning }) => isRunning);
    running?.interruption.abort(new Error("the turn was interrupted"));
    return running !== undefined;
  }

  /**
   * Interrupts one turn, whether it runs or waits.
   * @param sessionKey - key of its session
   * @param runId - ID of the turn
   * @returns true when the turn is in its queue
   */
  cancel(sessionKey: string, runId: string): boolean {
    const entry = this.#entries.get(sessionKey)?.find(({ turn }) => turn.runId === runId);
    entry?.interruption.abort(new Error("the turn was interrupted"));
    return entry !== undefined;
  }

  /** Resolves when no turn and no other work is queued. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  #remove(entry: QueueEntry): void {
    const { sessionKey } = entry.turn;
    const rest = (this.#entries.get(sessionKey) ?? []).filter((each) => each !== entry);
    if (rest.length === 0) this.#entries.delete(sessionKey);
    else this.#entries.set(sessionKey, rest);
  }
}

/** Queued turn; it stays in the queue until `outcome` settles. */
class QueueEntry implements QueuedTurn {
  readonly turn: Turn;
  readonly callers: Caller[];
  readonly hasBegun: boolean;
  readonly steering: QueuedTurn[] = [];
  readonly interruption = new AbortController();
  readonly outcome: Promise<ReplyOutcome>;
  isRunning = false;
  readonly #observers: ((state: QueuedState) => void)[] = [];
  #state: QueuedState = "waiting";
  #answeredBy: QueuedTurn | undefined;
  #place: TurnPlace | undefined;

  constructor(
    { turn, callers, hasBegun = false }: ScheduledTurn,
    run: (work: (place: TurnPlace) => Promise<ReplyOutcome>) => Promise<ReplyOutcome>,
    work: (queued: QueuedTurn) => Promise<ReplyOutcome>,
    joined: ((outcome: ReplyOutcome) => void) | undefined,
  ) {
    this.turn = turn;
    this.hasBegun = hasBegun;
    this.callers = [...callers];
    this.outcome = run(async (place) => {
      this.#place = place;
      // The other turn was before this one in the queue, so it has ended.
      if (this.#answeredBy !== undefined) {
        const outcome = await this.#answeredBy.outcome;
        joined?.(outcome);
        return outcome;
      }
      this.isRunning = true;
      this.#tell("working");
      return await work(this);
    });
  }

  get signal(): AbortSignal {
    return this.interruption.signal;
  }

  async pause<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#tell("paused");
    try {
      return await (this.#place === undefined ? wait() : this.#place.without(wait));
    } finally {
      this.#tell("working");
    }
  }

  watch(observer: (state: QueuedState) => void): void {
    this.#observers.push(observer);
    observer(this.#state);
  }

  answeredBy(other: QueuedTurn): void {
    this.#answeredBy = other;
  }

  #tell(state: QueuedState): void {
    this.#state = state;
    for (const observer of this.#observers) observer(state);
  }
}

/** Returns the account of the channel whose message the turn answers; work in the background is a separate origin. */
function originOf(turn: Turn): string {
  const { channel, accountId } = turn.payload ?? {};
  return JSON.stringify([channel, accountId, isInBackground(turn)]);
}
