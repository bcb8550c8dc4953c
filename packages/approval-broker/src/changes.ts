import {
  errorMessage,
  type TimerHandle,
  type Timers,
  waitUnlessAborted,
} from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { NOTICES_LOST, type Store, withoutLease } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { ApprovalNotFoundError } from "./errors.js";

/** Topics whose text is the ID of an approval request. */
const TOPICS = {
  requested: "approval-requested",
  updated: "approval-updated",
  decided: "approval-decided",
} as const;
/** Time in milliseconds after which requests are read again when the database could not be reached. */
const RETRY_MS = 1000;

/** Change of an approval request. */
export type ApprovalChange = keyof typeof TOPICS;

/** Called with an approval request. */
export type ApprovalListener = (approval: Approval) => void;

/** Dependencies of {@link ApprovalChanges}. */
export interface ApprovalChangesDependencies {
  readonly store: Pick<Store, "topics" | "decisions">;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Does what a change of another node asks for, before the listeners are called. */
  received(change: ApprovalChange, approval: Approval): Promise<void>;
}

/**
 * Changes of approval requests on every node of the database. A node announces a change in the transaction that makes it,
 * and tells its own listeners itself; the others read the request when the announcement arrives (APPR-530).
 */
export class ApprovalChanges {
  readonly #dependencies: ApprovalChangesDependencies;
  readonly #listeners: Readonly<Record<ApprovalChange, Set<ApprovalListener>>> = {
    requested: new Set(),
    updated: new Set(),
    decided: new Set(),
  };
  /** Requests whose decision is waited for, with the number of waits. */
  readonly #awaited = new Map<string, number>();
  readonly #unsubscribe: readonly (() => void)[];
  #received: Promise<void> = Promise.resolve();
  #retry: TimerHandle | undefined;

  /** @param dependencies - store, timers, log, and the work of other nodes' changes */
  constructor(dependencies: ApprovalChangesDependencies) {
    this.#dependencies = dependencies;
    const { topics } = dependencies.store;
    const follow = (change: ApprovalChange) =>
      topics.subscribe(TOPICS[change], (id, { isOwn }) => {
        if (!isOwn) this.#receive(change, id);
      });
    this.#unsubscribe = [
      follow("requested"),
      follow("updated"),
      follow("decided"),
      topics.subscribe(NOTICES_LOST, () => this.#readAwaited()),
    ];
  }

  /**
   * Announces a change to the other nodes when its transaction commits.
   * @param unit - the transaction
   * @param change - the change
   * @param id - ID of the request
   */
  announce({ topics }: Pick<Store, "topics">, change: ApprovalChange, id: string): void {
    topics.publish(TOPICS[change], id);
  }

  /**
   * Adds a listener.
   * @param change - the change
   * @param listener - called for each such change from now on
   * @returns function that removes it
   */
  add(change: ApprovalChange, listener: ApprovalListener): () => void {
    const listeners = this.#listeners[change];
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /**
   * Calls every listener, also when one of them removes another.
   * @param change - the change
   * @param approval - request that changed
   */
  notify(change: ApprovalChange, approval: Approval): void {
    for (const listener of [...this.#listeners[change]]) listener(approval);
  }

  /**
   * Waits until an approval request is settled, by this node or another one.
   * @param id - ID of the request
   * @param signal - ends the wait; the request stays pending
   * @throws ApprovalNotFoundError, or the reason of the signal
   */
  async settled(id: string, signal: AbortSignal): Promise<Approval> {
    let stop = () => {};
    const decided = new Promise<Approval>((resolve) => {
      stop = this.add("decided", (approval) => {
        if (approval.id === id) resolve(approval);
      });
    });
    this.#awaited.set(id, (this.#awaited.get(id) ?? 0) + 1);
    try {
      const now = await this.#dependencies.store.decisions.approvals.get(id);
      if (now === undefined) throw new ApprovalNotFoundError(id);
      return now.state === "pending" ? await waitUnlessAborted(signal, () => decided) : now;
    } finally {
      stop();
      const left = (this.#awaited.get(id) ?? 1) - 1;
      if (left === 0) this.#awaited.delete(id);
      else this.#awaited.set(id, left);
    }
  }

  /** Follows other nodes no more. */
  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#dependencies.timers.clearTimeout(this.#retry);
    await this.#received;
  }

  /** Tells of the changes in the order in which they were announced. */
  #receive(change: ApprovalChange, id: string): void {
    this.#received = this.#received
      .then(() => this.#tell(change, id))
      .catch((error: unknown) => {
        const problem = `a change of an approval request could not be read: ${errorMessage(error)}`;
        this.#dependencies.logger.warn(problem, { approvalId: id });
        this.#retry ??= withoutLease(() =>
          this.#dependencies.timers.setTimeout(() => {
            this.#retry = undefined;
            this.#readAwaited();
          }, RETRY_MS),
        );
      });
  }

  async #tell(change: ApprovalChange, id: string): Promise<void> {
    const approval = await this.#dependencies.store.decisions.approvals.get(id);
    if (approval === undefined || (approval.state === "pending") === (change === "decided")) return;
    await this.#dependencies.received(change, approval);
    this.notify(change, approval);
  }

  /** Reads what is waited for, because announcements may be lost. */
  #readAwaited(): void {
    for (const id of this.#awaited.keys()) this.#receive("decided", id);
  }
}
