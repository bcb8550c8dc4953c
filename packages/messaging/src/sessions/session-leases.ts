import { errorMessage, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { type Lease, type Store, withoutLease } from "@openclaw/store";
import { TurnTakenOverError } from "../errors.js";

/** Time of a lease, and interval of its renewal (SCALE-006). */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3000;
/** Time before the expiry at which a node that could not renew stops by its own clock (SCALE-008). */
const MARGIN_MS = 2000;
const LOOK_MS = 500;
/** Time after which a waiting node looks again, when no notice told it of a change. */
const WAIT_MS = 1000;
/** Time for which a session without work stays with its node, unless another asks for it. */
const IDLE_MS = 60_000;

/** Topics whose text is the key of a session: a node waits for it, or one has given it back. */
const SESSION_WANTED = "session-wanted";
const SESSION_FREE = "session-free";

/** Dependencies of {@link SessionLeases}. */
export interface SessionLeasesDependencies {
  readonly store: Pick<Store, "leases" | "turns" | "nodes" | "topics" | "transaction">;
  readonly timers: Timers;
  readonly logger: Logger;
  /**
   * Drops a session that another node may have.
   * @param sessionKey - full key of the session
   */
  lost(sessionKey: string): void;
  /** Reads what this node keeps of a session, which another node may have changed. */
  acquired(sessionKey: string): Promise<void>;
}

/** Permission to work in a session. */
export interface SessionPass {
  /** Lease under which the work is done; undefined during a wait outside of the session. */
  readonly lease: Lease | undefined;
  /**
   * Lets other nodes work in the session during a wait.
   * @param wait - wait that does no work
   * @throws TurnTakenOverError when another node has taken the turn over meanwhile
   */
  without<Result>(wait: () => Promise<Result>): Promise<Result>;
  /** Ends the work. */
  leave(): void;
}

interface HeldSession {
  readonly lease: Lease;
  /** Number of works that run. */
  users: number;
  /** Time of the process's steady clock until which the lease is certain. */
  until: number;
  idleSince: number;
  isWanted: boolean;
}

/**
 * Lets the nodes of a database work in one session one after another, its turns in the order in which their messages were
 * stored (SCALE-006, SCALE-010). A session stays with a node until another asks for it.
 */
export class SessionLeases {
  readonly #dependencies: SessionLeasesDependencies;
  readonly #owner: string;
  readonly #held = new Map<string, HeldSession>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Sessions whose lease is being acquired. */
  readonly #acquiring = new Set<string>();
  readonly #unsubscribe: readonly (() => void)[];
  #look: TimerHandle | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #isRenewing = false;
  #isStopping = false;

  /**
   * @param owner - ID of this node
   * @param dependencies - store, timers, log, and what drops a session
   */
  constructor(owner: string, dependencies: SessionLeasesDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    const { topics } = dependencies.store;
    this.#unsubscribe = [
      topics.subscribe(SESSION_FREE, (sessionKey) => this.#wake(sessionKey)),
      topics.subscribe(SESSION_WANTED, (sessionKey) => {
        const held = this.#held.get(sessionKey);
        if (held === undefined) return;
        held.isWanted = true;
        this.#releaseIdle(sessionKey, held);
      }),
    ];
  }

  /** Number of sessions that this node has. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Waits until this node may work in a session.
   * @param sessionKey - full key of the session
   * @param runId - turn whose place in the session is waited for; absent for other work between turns
   * @throws TurnTakenOverError when another node has taken the turn over, or this one stops
   */
  async enter(sessionKey: string, runId: string | undefined): Promise<SessionPass> {
    return this.#pass(sessionKey, runId, await this.#enter(sessionKey, runId));
  }

  async #enter(sessionKey: string, runId: string | undefined): Promise<HeldSession> {
    for (;;) {
      const changed = this.#changeOf(sessionKey);
      try {
        const held = await this.#try(sessionKey, runId);
        if (held !== undefined) return held;
        if (this.#isStopping) throw new TurnTakenOverError(sessionKey, "this node stops");
        await changed.promise;
      } finally {
        changed.end();
      }
    }
  }

  /** Ends waits for sessions that other nodes have, with an error: this node stops. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const sessionKey of this.#waiting.keys()) this.#wake(sessionKey);
  }

  /** Releases every session. */
  async close(): Promise<void> {
    this.stopWaiting();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#dependencies.timers.clearTimeout(this.#look);
    const held = [...this.#held];
    this.#held.clear();
    for (const [key, { lease }] of held) await this.#release(key, lease);
  }

  /** Takes the lease unless this node has it; undefined when another turn or another node is first. */
  async #try(sessionKey: string, runId: string | undefined): Promise<HeldSession | undefined> {
    const { store } = this.#dependencies;
    const known = this.#held.get(sessionKey);
    if (known !== undefined) {
      known.users += 1;
      try {
        if (await this.#isNext(sessionKey, runId, store)) return known;
      } catch (error) {
        this.#leave(sessionKey, known);
        throw error;
      }
      known.isWanted = true;
      this.#leave(sessionKey, known);
      return undefined;
    }
    // Otherwise the second of two acquisitions of this node would make the first one stale.
    if (this.#acquiring.has(sessionKey)) return undefined;
    this.#acquiring.add(sessionKey);
    try {
      return await this.#acquire(sessionKey, runId);
    } finally {
      this.#acquiring.delete(sessionKey);
      this.#wake(sessionKey);
    }
  }

  async #acquire(sessionKey: string, runId: string | undefined): Promise<HeldSession | undefined> {
    const { store, acquired } = this.#dependencies;
    const startedAt = performance.now();
    const lease = await store.transaction(async (unit) => {
      if (!(await this.#isNext(sessionKey, runId, unit))) return undefined;
      const options = { ttlMs: LEASE_MS };
      const found = await unit.leases.acquire(`session:${sessionKey}`, this.#owner, options);
      if (found === undefined) unit.topics.publish(SESSION_WANTED, sessionKey);
      return found;
    });
    if (lease === undefined) return undefined;
    const until = startedAt + LEASE_MS - MARGIN_MS;
    const held = { lease, users: 1, until, idleSince: 0, isWanted: false };
    this.#held.set(sessionKey, held);
    this.#look ??= this.#lookLater();
    await acquired(sessionKey);
    return held;
  }

  async #isNext(
    sessionKey: string,
    runId: string | undefined,
    { turns }: Pick<Store, "turns">,
  ): Promise<boolean> {
    if (runId === undefined) return true;
    const next = await turns.next(sessionKey);
    if (next?.runId === runId) {
      if (next.nodeId === this.#owner) return true;
      throw new TurnTakenOverError(sessionKey, "another node has taken it over");
    }
    const turn = await turns.get(runId);
    if (turn?.endedAt === undefined && turn !== undefined) return false;
    throw new TurnTakenOverError(sessionKey, "another node has ended it");
  }

  #pass(sessionKey: string, runId: string | undefined, first: HeldSession): SessionPass {
    let held: HeldSession | undefined = first;
    const leave = () => {
      if (held !== undefined) this.#leave(sessionKey, held);
      held = undefined;
    };
    return {
      get lease() {
        return held?.lease;
      },
      leave,
      without: async (wait) => {
        leave();
        const result = await wait();
        held = await this.#enter(sessionKey, runId);
        return result;
      },
    };
  }

  #leave(sessionKey: string, held: HeldSession): void {
    held.users -= 1;
    if (held.users > 0 || this.#held.get(sessionKey) !== held) return;
    held.idleSince = performance.now();
    this.#wake(sessionKey);
    this.#releaseIdle(sessionKey, held);
  }

  #releaseIdle(sessionKey: string, held: HeldSession): void {
    const isLong = performance.now() - held.idleSince > IDLE_MS;
    if (held.users > 0 || !(held.isWanted || isLong)) return;
    this.#held.delete(sessionKey);
    void this.#release(sessionKey, held.lease);
  }

  async #release(sessionKey: string, lease: Lease): Promise<void> {
    const { store, logger } = this.#dependencies;
    try {
      await withoutLease(() =>
        store.transaction(async (unit) => {
          await unit.leases.release(lease);
          unit.topics.publish(SESSION_FREE, sessionKey);
        }),
      );
    } catch (error) {
      logger.warn(`a session could not be released; it expires: ${errorMessage(error)}`, {
        sessionKey,
      });
    }
    this.#wake(sessionKey);
  }

  #lookLater(): TimerHandle {
    return this.#dependencies.timers.setTimeout(() => this.#lookNow(), LOOK_MS);
  }

  /** Drops what is no longer certain, gives idle sessions back, and renews the others. */
  #lookNow(): void {
    const now = performance.now();
    for (const [sessionKey, held] of [...this.#held]) {
      if (now > held.until) this.#lose(sessionKey, held, "it could not be renewed in time");
      else this.#releaseIdle(sessionKey, held);
    }
    this.#look = this.#held.size > 0 ? this.#lookLater() : undefined;
    if (now - this.#renewedAt < RENEWAL_MS || this.#isRenewing || this.#held.size === 0) return;
    this.#renewedAt = now;
    this.#isRenewing = true;
    this.#renew(now)
      .catch((error: unknown) =>
        this.#dependencies.logger.warn(`sessions could not be renewed: ${errorMessage(error)}`),
      )
      .finally(() => {
        this.#isRenewing = false;
      });
  }

  async #renew(startedAt: number): Promise<void> {
    const held = [...this.#held];
    const leases = held.map(([, { lease }]) => lease);
    const renewed = await this.#dependencies.store.leases.renewAll(leases, LEASE_MS);
    for (const [sessionKey, each] of held) {
      if (renewed.has(each.lease.key)) each.until = startedAt + LEASE_MS - MARGIN_MS;
      else this.#lose(sessionKey, each, "another node has it");
    }
  }

  #lose(sessionKey: string, held: HeldSession, reason: string): void {
    if (this.#held.get(sessionKey) !== held) return;
    this.#held.delete(sessionKey);
    this.#dependencies.logger.warn(`the lease of a session was lost: ${reason}`, { sessionKey });
    this.#dependencies.lost(sessionKey);
    this.#wake(sessionKey);
  }

  #changeOf(sessionKey: string): { readonly promise: Promise<void>; end(): void } {
    const { timers } = this.#dependencies;
    let resolve = (): void => undefined;
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    const waiting = this.#waiting.get(sessionKey) ?? new Set();
    this.#waiting.set(sessionKey, waiting.add(resolve));
    const timer = timers.setTimeout(resolve, WAIT_MS);
    return {
      promise,
      end: () => {
        timers.clearTimeout(timer);
        waiting.delete(resolve);
        if (waiting.size === 0 && this.#waiting.get(sessionKey) === waiting)
          this.#waiting.delete(sessionKey);
      },
    };
  }

  #wake(sessionKey: string): void {
    for (const resolve of this.#waiting.get(sessionKey) ?? []) resolve();
  }
}
