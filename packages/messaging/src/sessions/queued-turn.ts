import { TurnSuspendedError } from "@openclaw/agent";
import type { Turn } from "@openclaw/store";
import type { Caller, ReplyOutcome } from "../messages/inbound.js";
import type { TurnPlace } from "./turn-places.js";

/** State of a queued turn: it waits for its session or a place, works, or waits for an approval. */
export type QueuedState = "waiting" | "working" | "paused";

/** A stored turn that enters its queue. */
export interface NewTurn {
  readonly turn: Turn;
  /** Receivers of its reply. */
  readonly callers: readonly Caller[];
  /** Set if this process stored it as running; a turn that was running in an earlier one begins again. */
  readonly hasBegun?: boolean | undefined;
  /** Set if it was taken over from another node, or continues here after this one had lost its session. */
  readonly isTakenOver?: boolean | undefined;
}

/** A turn that waits for its session or runs in it; it stays in the queue until `outcome` settles. */
export class QueuedTurn {
  readonly turn: Turn;
  /** Receivers of its reply; those whose messages were merged into it come last. */
  readonly callers: Caller[];
  /** True if the turn was stored as running. */
  readonly hasBegun: boolean;
  /** Turns whose messages it includes while it runs, oldest first. */
  readonly steering: QueuedTurn[] = [];
  /** Settles with the outcome of the turn. */
  readonly outcome: Promise<ReplyOutcome>;
  /** Turn that included the message of this one, which then does not run; it was before this one in the queue. */
  answeredBy: QueuedTurn | undefined;
  readonly #interruption = new AbortController();
  readonly #observers: ((state: QueuedState) => void)[] = [];
  #state: QueuedState = "waiting";
  #isLost = false;
  #place: TurnPlace | undefined;

  /**
   * @param added - the stored turn and the receivers of its reply
   * @param work - runs it, or returns the outcome of the turn that included its message
   */
  constructor(
    { turn, callers, hasBegun = false }: NewTurn,
    queue: (work: (place: TurnPlace) => Promise<ReplyOutcome>) => Promise<ReplyOutcome>,
    work: (queued: QueuedTurn) => Promise<ReplyOutcome>,
  ) {
    this.turn = turn;
    this.callers = [...callers];
    this.hasBegun = hasBegun;
    this.outcome = queue((place) => {
      this.#place = place;
      if (this.answeredBy === undefined) this.#enter("working");
      return work(this);
    });
  }

  /** Aborts when the turn is interrupted. */
  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** True from the begin of its work. */
  get isRunning(): boolean {
    return this.#state !== "waiting";
  }

  /** Caller of a turn with exactly one; none of several callers may end the turn for the others. */
  get onlyCaller(): Caller | undefined {
    return this.callers.length === 1 ? this.callers[0] : undefined;
  }

  /** True if this process lost the session while the turn worked. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Marks the turn as one that this process lost while it worked. */
  lose(): void {
    this.#isLost = true;
  }

  /** Suspends a turn that works, because another node may have its session; one that waits is not affected. */
  drop(): void {
    if (this.#state !== "working") return;
    this.#isLost = true;
    this.#interruption.abort(new TurnSuspendedError());
  }

  /** Interrupts the turn, whether it runs or waits. */
  interrupt(): void {
    this.#interruption.abort(new Error("the turn was interrupted"));
  }

  /**
   * Waits without blocking other turns; in this process the session stays occupied by this turn.
   * @param wait - wait that does no work
   * @param options - `keepsSession` if other nodes must not work in the session either
   */
  async pause<Result>(
    wait: () => Promise<Result>,
    { keepsSession = false }: { readonly keepsSession?: boolean } = {},
  ): Promise<Result> {
    this.#enter("paused");
    try {
      if (this.#place === undefined) return await wait();
      return await (keepsSession ? this.#place.without(wait) : this.#place.outside(wait));
    } finally {
      this.#enter("working");
    }
  }

  /**
   * Tells the state of the turn at once, and each change of it.
   * @param observer - receives the state
   */
  watch(observer: (state: QueuedState) => void): void {
    this.#observers.push(observer);
    observer(this.#state);
  }

  #enter(state: QueuedState): void {
    this.#state = state;
    for (const observer of this.#observers) observer(state);
  }
}

/** Returns true for a turn that no user waits for at this moment. */
export function isInBackground({ trigger }: Pick<Turn, "trigger">): boolean {
  return trigger === "job" || trigger === "cron" || trigger === "heartbeat";
}

/** Returns the account of the channel whose message a turn answers; work in the background is a separate origin. */
export function originOf(turn: Turn): string {
  const { channel, accountId } = turn.payload ?? {};
  return JSON.stringify([channel, accountId, isInBackground(turn)]);
}
