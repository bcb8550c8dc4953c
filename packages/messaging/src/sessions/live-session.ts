import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { CredentialRequest, QueueMode } from "@openclaw/store";
import type { JobStatus, RequestStatus } from "../messages/inbound.js";
import type { QueuedTurn } from "./queued-turn.js";

/** Settings that were chosen for one session and override those of the configuration. */
export interface ChosenSettings {
  readonly model?: string | undefined;
  readonly queueMode?: QueueMode | undefined;
  /** True if details of each turn are shown (SUB-017). */
  readonly verbose?: boolean | undefined;
}

/** Caller that waits for an answer in a session. */
export interface SessionCaller {
  /** Tells it of a job that begins in the session. */
  onJobStarted?(status: JobStatus): void;
  /**
   * Asks it for a credential.
   * @param text - text for the person
   */
  onCredential?(text: string, status: RequestStatus): Promise<void>;
}

/** Values of plugins in a session while one of its turns runs, by plugin and namespace. */
export interface HeldValues {
  holders: number;
  /** Undefined for a value that was removed in the meantime. */
  readonly values: Map<string, JsonValue | undefined>;
}

/**
 * Work of a session that runs one after another: messages that may be `credentials` are examined, because a repeat must
 * not pass while the first one is stored; `checks` whether a message is urgent, because one that reads the store must not
 * be overtaken; `arrivals` are admitted, because hooks may be slow; and `turns` run, with other work between them. Turns
 * that this node has taken over from another one are older than those that wait, so they have their own order.
 */
export type SessionOrder = "credentials" | "checks" | "arrivals" | "turns" | "takenOver";

/** Work of one order that has not ended. */
interface Order {
  /** End of the latest work; never rejects. */
  last: Promise<unknown>;
  size: number;
}

/**
 * Everything that a process keeps of one session: its queue, the order of its work, its settings, its credential request
 * and the values of plugins. A process that loses the session loses this object and nothing else.
 */
export class LiveSession {
  readonly key: string;
  /** Turns that have not ended, in order. */
  readonly turns: QueuedTurn[] = [];
  /** Settings that were chosen for it; undefined for none. */
  settings: ChosenSettings | undefined;
  /** Request whose answer the next message is (SUB-045). */
  credentialRequest: CredentialRequest | undefined;
  heldValues: HeldValues | undefined;
  /** Incarnation that was used since the start of the process, and when; undefined once it was idle for long. */
  use: { readonly sessionId: string; readonly at: number } | undefined;
  readonly #callers: SessionCaller[] = [];
  readonly #orders: Partial<Record<SessionOrder, Order>> = {};
  readonly #forget: () => void;
  /** Message that is stored together with its turn. */
  #direct: Promise<unknown> | undefined;
  /** Number of messages that are stored, or about to be, and not queued yet. */
  #entering = 0;
  /** Number of tasks and callers. */
  #holders = 0;

  /**
   * @param key - full key of the session
   * @param forget - called when nothing is kept of the session any more
   */
  constructor(key: string, forget: () => void) {
    this.key = key;
    this.#forget = forget;
  }

  /** True if the next message may be stored together with its turn. */
  get mayStoreDirectly(): boolean {
    return this.#entering === 0 && this.#direct === undefined && this.isFree("arrivals");
  }

  /** Returns true if no work runs or waits in an order. */
  isFree(name: SessionOrder): boolean {
    return (this.#orders[name]?.size ?? 0) === 0;
  }

  /**
   * Runs work after the earlier work of an order.
   * @param work - function that is called once; its failure rejects only the returned promise
   */
  run<Result>(name: SessionOrder, work: () => Promise<Result>): Promise<Result> {
    this.#orders[name] ??= { last: Promise.resolve(), size: 0 };
    const order = this.#orders[name];
    order.size += 1;
    const release = this.#hold();
    const ended = () => {
      order.size -= 1;
      release();
    };
    const done = order.last.then(work);
    order.last = done.then(ended, ended);
    return done;
  }

  /**
   * Stores a message together with its turn. Messages are processed in the order in which they were stored: later ones
   * wait until this one is queued, and while others are stored but not queued, none is stored with its turn.
   * @param store - resolves when the turn is queued
   */
  async storeDirectly<Result>(store: () => Promise<Result>): Promise<Result> {
    const stored = this.run("arrivals", store);
    this.#direct = stored.catch(() => undefined);
    try {
      return await stored;
    } finally {
      this.#direct = undefined;
    }
  }

  /**
   * Waits until a message may be stored alone.
   * @returns a handle whose `end` is called when the message is queued
   */
  async enter(): Promise<{ end(): void }> {
    const release = this.#hold();
    while (this.#direct !== undefined) await this.#direct;
    this.#entering += 1;
    let isEntering = true;
    return {
      end: () => {
        if (!isEntering) return;
        isEntering = false;
        this.#entering -= 1;
        release();
      },
    };
  }

  /**
   * Adds a caller until it has its answer.
   * @param caller - told of new jobs and credential requests while it is the latest one
   * @returns handle whose `end` removes the caller
   */
  attend(caller: SessionCaller): { end(): void } {
    const release = this.#hold();
    this.#callers.push(caller);
    return {
      end: () => {
        const index = this.#callers.indexOf(caller);
        if (index < 0) return;
        this.#callers.splice(index, 1);
        release();
      },
    };
  }

  /** Tells the latest caller of a job; nothing happens when none waits. */
  jobStarted(status: JobStatus): void {
    const told = this.#callers.findLast(({ onJobStarted }) => onJobStarted !== undefined);
    told?.onJobStarted?.(status);
  }

  /**
   * Asks the latest caller for a credential; nothing happens when none waits.
   * @param text - text for the person
   */
  async credentialRequested(text: string, status: RequestStatus): Promise<void> {
    const asked = this.#callers.findLast(({ onCredential }) => onCredential !== undefined);
    await asked?.onCredential?.(text, status);
  }

  /**
   * Forgets what another node may change from now on, and suspends the turn that works: the node that has the session
   * continues it.
   */
  drop(): void {
    for (const turn of this.turns) turn.drop();
    this.settings = undefined;
    this.credentialRequest = undefined;
    this.use = undefined;
    this.release();
  }

  /** Forgets the session if nothing is kept of it any more; to be called when a field was cleared. */
  release(): void {
    const { settings, credentialRequest, heldValues, use } = this;
    const kept = [settings, credentialRequest, heldValues, use];
    if (this.#holders === 0 && kept.every((each) => each === undefined)) this.#forget();
  }

  #hold(): () => void {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      if (this.#holders === 0) this.release();
    };
  }
}
