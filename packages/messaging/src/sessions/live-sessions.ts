import { type Session, type Store, underLease, withoutLease } from "@openclaw/store";
import { TurnTakenOverError } from "../errors.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import { type ChosenSettings, LiveSession, type SessionOrder } from "./live-session.js";
import { type NewTurn, originOf, QueuedTurn } from "./queued-turn.js";
import {
  SessionLeases,
  type SessionLeasesDependencies,
  type SessionPass,
} from "./session-leases.js";
import { type TurnPlace, TurnPlaces } from "./turn-places.js";

const NO_SETTINGS: ChosenSettings = {};

/** Dependencies of {@link LiveSessions.share}. */
export type SharedSessionsDependencies = Omit<SessionLeasesDependencies, "lost" | "acquired"> & {
  readonly store: Pick<Store, "sessions">;
};

/** Work of a queued turn. */
export interface TurnWork {
  /** Runs the turn. */
  run(queued: QueuedTurn): Promise<ReplyOutcome>;
  /**
   * Returns the outcome after the turn has left its place.
   * @param outcome - as {@link TurnWork.run} returned it
   */
  ended?(queued: QueuedTurn, outcome: ReplyOutcome): Promise<ReplyOutcome>;
}

/** Work that is queued in a session. */
export interface SessionWork {
  /** Origin of the work, for example the account of a channel. */
  readonly origin?: string | undefined;
  /** Turn whose place in the session it waits for. */
  readonly runId?: string | undefined;
  readonly order?: Extract<SessionOrder, "turns" | "takenOver"> | undefined;
}

/**
 * The sessions of which this process keeps something. Each runs one turn after another, with a bounded number of turns over
 * all sessions (TURN-056).
 */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  readonly #places: TurnPlaces;
  readonly #watchers: (() => void)[] = [];
  #leases: SessionLeases | undefined;
  #size = 0;

  /** @param places - maximum number of turns that run at once, which may change */
  constructor(places: number | (() => number)) {
    this.#places = new TurnPlaces(places);
  }

  /** Number of turns, and of other work between them, that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** Number of sessions that this node has; 0 on a host that has its database alone. */
  get leased(): number {
    return this.#leases?.size ?? 0;
  }

  /**
   * Shares the sessions with other nodes of the database: work in one begins when this node has it. Does nothing on a host
   * that has the database alone.
   * @param dependencies - store, timers and log
   */
  share(dependencies: SharedSessionsDependencies): void {
    const { sessions, nodes } = dependencies.store;
    if (nodes.own === undefined) return;
    this.#leases = new SessionLeases(nodes.own, {
      ...dependencies,
      lost: (sessionKey) => this.drop(sessionKey),
      acquired: async (sessionKey) => {
        const session = await sessions.get(sessionKey);
        if (session === undefined) this.forgetSettings(sessionKey);
        else this.remember(session);
      },
    });
  }

  /** Ends work that waits for a session of another node, because this one stops. */
  stopWaiting(): void {
    this.#leases?.stopWaiting();
  }

  /** Gives every session to other nodes. */
  async giveBack(): Promise<void> {
    await this.#leases?.close();
  }

  /**
   * Drops what this process keeps of a session that another node may have.
   * @param sessionKey - full key of the session
   */
  drop(sessionKey: string): void {
    this.#sessions.get(sessionKey)?.drop();
  }

  /** All of them. */
  [Symbol.iterator](): Iterator<LiveSession> {
    return this.#sessions.values();
  }

  /**
   * Returns the object of a session, to keep something in it at once; after a wait it may be another one.
   * @param sessionKey - full key of the session
   */
  of(sessionKey: string): LiveSession {
    const found = this.#sessions.get(sessionKey);
    if (found !== undefined) return found;
    const session: LiveSession = new LiveSession(sessionKey, () => {
      if (this.#sessions.get(sessionKey) === session) this.#sessions.delete(sessionKey);
    });
    this.#sessions.set(sessionKey, session);
    return session;
  }

  /**
   * Returns the object of a session; undefined when nothing is kept of it.
   * @param sessionKey - full key of the session
   */
  find(sessionKey: string): LiveSession | undefined {
    return this.#sessions.get(sessionKey);
  }

  /**
   * Loads the settings of all sessions, because every message needs them, and few sessions have any.
   * @param store - store of the host
   */
  async loadSettings(store: Pick<Store, "sessions">): Promise<void> {
    for (const session of await store.sessions.customized()) this.remember(session);
  }

  /**
   * Uses the settings of a stored session from now on.
   * @param session - session as stored
   */
  remember({ sessionKey, model, queueMode, verbose }: Session): void {
    const isDefault = [model, queueMode, verbose].every((each) => each === undefined);
    if (isDefault) this.forgetSettings(sessionKey);
    else this.of(sessionKey).settings = { model, queueMode, verbose };
  }

  /**
   * Forgets the settings of a session.
   * @param sessionKey - full key of the session
   */
  forgetSettings(sessionKey: string): void {
    const session = this.#sessions.get(sessionKey);
    if (session === undefined) return;
    session.settings = undefined;
    session.release();
  }

  /**
   * Returns the settings of a session; empty when none were chosen.
   * @param sessionKey - full key of the session
   */
  settingsOf(sessionKey: string): ChosenSettings {
    return this.#sessions.get(sessionKey)?.settings ?? NO_SETTINGS;
  }

  /**
   * Returns the turns of a session that have not ended, in order.
   * @param sessionKey - full key of the session
   */
  turns(sessionKey: string): readonly QueuedTurn[] {
    return this.#sessions.get(sessionKey)?.turns ?? [];
  }

  /**
   * Returns true if a session has no turn, and no other work between its turns.
   * @param sessionKey - full key of the session
   */
  isFree(sessionKey: string): boolean {
    return this.#sessions.get(sessionKey)?.isFree("turns") ?? true;
  }

  /**
   * Returns true if a turn of a session would run at once.
   * @param sessionKey - full key of the session
   */
  runsAtOnce(sessionKey: string): boolean {
    return this.#places.isFree && this.isFree(sessionKey);
  }

  /**
   * Queues a turn.
   * @param added - the stored turn and the receivers of its reply
   * @param work - runs it, or returns the outcome of the turn that included its message
   */
  schedule(added: NewTurn, work: TurnWork): QueuedTurn {
    const { turns, key } = this.of(added.turn.sessionKey);
    const { runId, inboxId: messageId } = added.turn;
    const queued: QueuedTurn = new QueuedTurn(
      added,
      (run) =>
        this.run(
          key,
          async (place) => {
            try {
              return await run(place);
            } finally {
              turns.splice(turns.indexOf(queued), 1);
            }
          },
          {
            origin: originOf(added.turn),
            runId,
            order: added.isTakenOver === true ? "takenOver" : "turns",
          },
        ).then(
          (outcome) => work.ended?.(queued, outcome) ?? outcome,
          (error: unknown) => {
            if (!TurnTakenOverError.isInstance(error)) throw error;
            turns.splice(turns.indexOf(queued), 1);
            return { status: "interrupted", messageId, runId } as const;
          },
        ),
      work.run,
    );
    turns.push(queued);
    return queued;
  }

  /**
   * Runs work between the turns of a session, when a place is free.
   * @param sessionKey - full key of the session
   * @param work - function that is called at most once; its failure rejects the returned promise
   * @param options - its origin, its turn and its order; other work than a turn has none
   */
  run<Result>(
    sessionKey: string,
    work: (place: TurnPlace) => Promise<Result>,
    { origin = "", runId, order = "turns" }: SessionWork = {},
  ): Promise<Result> {
    this.#size += 1;
    return this.of(sessionKey).run(order, async () => {
      try {
        const pass = await withoutLease(() => this.#leases?.enter(sessionKey, runId));
        return await this.#inPlace(work, origin, pass);
      } finally {
        this.#size -= 1;
        if (this.#size === 0) for (const resolve of this.#watchers.splice(0)) resolve();
      }
    });
  }

  async #inPlace<Result>(
    work: (place: TurnPlace) => Promise<Result>,
    origin: string,
    pass: SessionPass | undefined,
  ): Promise<Result> {
    await this.#places.take(origin);
    const without = <Waited>(wait: () => Promise<Waited>) => this.#without(wait, origin);
    try {
      if (pass === undefined) return await work({ without, outside: without });
      const outside = <Waited>(wait: () => Promise<Waited>) => without(() => pass.without(wait));
      return await underLease(pass, () => work({ without, outside }));
    } finally {
      this.#places.giveBack();
      pass?.leave();
    }
  }

  /**
   * Interrupts the turn that runs in a session.
   * @param sessionKey - full key of the session
   * @returns true when a turn was running
   */
  interrupt(sessionKey: string): boolean {
    const running = this.turns(sessionKey).find(({ isRunning }) => isRunning);
    running?.interrupt();
    return running !== undefined;
  }

  /**
   * Interrupts one turn, whether it runs or waits.
   * @param sessionKey - full key of its session
   * @param runId - ID of the turn
   * @returns true when the turn is in its queue
   */
  cancel(sessionKey: string, runId: string): boolean {
    const queued = this.turns(sessionKey).find(({ turn }) => turn.runId === runId);
    queued?.interrupt();
    return queued !== undefined;
  }

  /** Resolves when no turn and no other work is queued. */
  idle(): Promise<void> {
    return this.#size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#watchers.push(resolve));
  }

  async #without<Result>(wait: () => Promise<Result>, origin: string): Promise<Result> {
    this.#places.giveBack();
    try {
      return await wait();
    } finally {
      await this.#places.take(origin);
    }
  }
}
