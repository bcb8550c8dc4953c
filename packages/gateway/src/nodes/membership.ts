import { hostname } from "node:os";
import { errorMessage, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { type Lease, type Store, type StoredNode, withoutLease } from "@openclaw/store";
import { type Drift, driftOf } from "./drift.js";
import { type NodeFacts, storedFacts } from "./facts.js";

/** Time after a report until the work of the node is taken over, and interval of the reports (SCALE-006). */
const TTL_MS = 10_000;
const REPORT_MS = 3000;
/** Time before the expiry at which a node that could not renew its lead stops by its own clock. */
const MARGIN_MS = 2000;
/** Interval in which the leading node looks for the work of nodes that are gone. */
const LOOK_MS = 1000;
const TIDY_MS = 30_000;
/** Key of the lease of the node that leads. */
export const LEADER = "leading-node";
/** Topic of nodes that come, go, or change. */
export const NODE_CHANGES = "node-changes";

/** Dependencies of {@link NodeMembership}. */
export interface NodeMembershipDependencies {
  readonly store: Pick<Store, "nodes" | "leases" | "topics">;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly version: string;
  /** Returns what the node tells of itself. */
  facts(): NodeFacts;
}

/** Work of a node that depends on the other nodes. */
export interface NodeWork {
  /** Takes over the work of nodes that are gone. */
  takeOver(): Promise<unknown>;
  /**
   * Does the work that one node does for all, or leaves it to another.
   * @param isLeading - true when this node does it from now on
   */
  lead(isLeading: boolean): Promise<void>;
  /**
   * Takes no new turns, hands over those that have not begun, and is called again while the node drains; or takes turns
   * again.
   * @param isDraining - true while the operator drains the node
   * @returns number of messages that it handed over
   */
  drain(isDraining: boolean): Promise<number>;
}

/**
 * This process among the nodes of its database: it reports that it lives. One of them leads: it does the work that is done
 * once for all, and takes over what nodes that are gone have left.
 */
export class NodeMembership {
  readonly #dependencies: NodeMembershipDependencies;
  #work: NodeWork | undefined;
  #timer: TimerHandle | undefined;
  #current: Promise<void> = Promise.resolve();
  #reportedAt = Number.NEGATIVE_INFINITY;
  #tidiedAt = performance.now();
  #isDraining = false;
  /** True after {@link NodeWork.drain} was called with true. */
  #hasDrained = false;
  #isOver = false;
  #mayLead = false;
  /** Lease of this node while it leads. */
  #lead: Lease | undefined;
  /** Time of the process's steady clock until which the lease is certain. */
  #leadsUntil = 0;
  /** True after {@link NodeWork.lead} was called with true. */
  #hasLed = false;
  #drift: readonly Drift[] = [];
  readonly #unsubscribe: () => void;
  #others: readonly JsonObject[] = [];

  /** @param dependencies - store, timers, log, and what the node tells of itself */
  constructor(dependencies: NodeMembershipDependencies) {
    this.#dependencies = dependencies;
    this.#unsubscribe = dependencies.store.topics.subscribe(NODE_CHANGES, () => this.#lookSoon());
  }

  /** True if this node does what is done once for all. */
  get isLeading(): boolean {
    return this.#lead !== undefined && performance.now() < this.#leadsUntil;
  }

  /** Properties that this node had in another form than most others at its last report (SCALE-022). */
  get drift(): readonly Drift[] {
    return this.#drift;
  }

  /** True while the node takes no new turns. */
  get isDraining(): boolean {
    return this.#hasDrained;
  }

  /**
   * Reports the node; call it before anything is stored, so that no other node takes it over.
   * @param options - false for a host of one command, which never leads
   */
  async join({ mayLead }: { readonly mayLead: boolean }): Promise<void> {
    this.#mayLead = mayLead;
    await this.#report();
    await this.#elect();
    this.#again();
  }

  /**
   * Follows the elections from now on.
   * @param isLeading - true if the node began as the one that leads
   */
  start(work: NodeWork, isLeading: boolean): void {
    this.#work = work;
    this.#hasLed = isLeading;
    // It can tell more of itself than when it joined.
    this.#lookSoon();
  }

  /** Reports the facts again at once, because they have changed, and lets the other nodes read them. */
  changed(): void {
    if (this.#isOver || this.#work === undefined) return;
    this.#current = this.#current
      .then(async () => {
        if (this.#isOver) return;
        await this.#report();
        this.#dependencies.store.topics.publish(NODE_CHANGES);
      })
      .catch((error: unknown) => this.#warn("could not be reported", error));
  }

  /** Facts of the other nodes that live, as they were when this one reported. */
  get others(): readonly JsonObject[] {
    return this.#others;
  }

  /** Takes over nothing more; the node still lives. */
  stopWork(): void {
    this.#work = undefined;
  }

  /** Tells the other nodes that they can take over what is left. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#unsubscribe();
    const { store, timers } = this.#dependencies;
    timers.clearTimeout(this.#timer);
    await this.#current;
    try {
      await store.nodes.leave();
      if (this.#lead !== undefined) await store.leases.release(this.#lead);
      store.topics.publish(NODE_CHANGES);
    } catch {
      // When it cannot be stored, the row and the lease expire.
    }
  }

  #again(): void {
    if (this.#isOver) return;
    this.#timer = withoutLease(() =>
      this.#dependencies.timers.setTimeout(() => {
        this.#lookAgain();
        void this.#current.then(() => this.#again());
      }, LOOK_MS),
    );
  }

  /** Looks after the current look, because something has changed. */
  #lookSoon(): void {
    if (this.#isOver || this.#work === undefined) return;
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#current = this.#current
      .then(() => this.#look())
      .catch((error: unknown) => this.#warn("could not be read", error));
  }

  #warn(what: string, error: unknown): void {
    this.#dependencies.logger.warn(`the nodes of the database ${what}: ${errorMessage(error)}`);
  }

  async #look(): Promise<void> {
    const { store } = this.#dependencies;
    const now = performance.now();
    if (this.#isOver) return;
    if (this.#lead !== undefined && !this.isLeading) this.#lead = undefined;
    if (now - this.#reportedAt >= REPORT_MS) {
      await this.#report();
      await this.#drain();
      await this.#elect();
    }
    await this.#follow();
    if (now - this.#tidiedAt >= TIDY_MS) {
      this.#tidiedAt = now;
      await store.nodes.tidy();
    }
    if (this.isLeading && this.#hasLed) await this.#work?.takeOver();
  }

  /** Lets the work follow the operator: while the node drains, again at each report. */
  async #drain(): Promise<void> {
    if (this.#work === undefined || !(this.#isDraining || this.#hasDrained)) return;
    const handedOver = await this.#work.drain(this.#isDraining);
    this.#hasDrained = this.#isDraining;
    if (handedOver > 0) this.#dependencies.store.topics.publish(NODE_CHANGES);
  }

  /** Keeps the lead, takes one that is free, or gives it back before the node drains. */
  async #elect(): Promise<void> {
    const { leases, nodes, topics } = this.#dependencies.store;
    const startedAt = performance.now();
    if (this.#isDraining || !this.#mayLead) {
      if (this.#lead === undefined) return;
      const lead = this.#lead;
      this.#lead = undefined;
      await this.#follow();
      await leases.release(lead);
      topics.publish(NODE_CHANGES);
      return;
    }
    if (this.#lead !== undefined) {
      const kept = await leases.renewAll([this.#lead], TTL_MS);
      if (kept.size === 0) this.#lead = undefined;
    }
    this.#lead ??= await leases.acquire(LEADER, nodes.own ?? "", { ttlMs: TTL_MS });
    this.#leadsUntil = startedAt + TTL_MS - MARGIN_MS;
  }

  /** Lets the work follow the election. */
  async #follow(): Promise<void> {
    const { isLeading } = this;
    if (this.#work === undefined || isLeading === this.#hasLed) return;
    this.#hasLed = isLeading;
    const change = isLeading ? "leads the nodes of its database" : "no longer leads the nodes";
    this.#dependencies.logger.info(`this node ${change}`);
    await this.#work.lead(isLeading);
  }

  async #report(): Promise<void> {
    const { store, version, facts } = this.#dependencies;
    const startedAt = performance.now();
    const report = { name: nodeName(), version, facts: storedFacts(facts()) };
    this.#obey(await store.nodes.report(report, TTL_MS));
    this.#reportedAt = startedAt;
    const all = await store.nodes.list();
    const found = driftOf(all).get(store.nodes.own ?? "") ?? [];
    if (found.join() !== this.#drift.join()) this.#tellDrift(found);
    const others = all.filter(({ nodeId }) => nodeId !== store.nodes.own);
    this.#others = others.filter(({ isLive }) => isLive).map((other) => other.facts);
  }

  #tellDrift(found: readonly Drift[]): void {
    this.#drift = found;
    const { logger } = this.#dependencies;
    if (found.length === 0) logger.info("the node agrees with the other nodes again");
    else logger.warn(`the node differs from most other nodes in ${found.join(", ")}`);
  }

  #obey({ state }: StoredNode): void {
    const isDraining = state === "draining";
    if (isDraining === this.#isDraining) return;
    this.#isDraining = isDraining;
    const change = isDraining ? "takes no more work" : "takes work again";
    this.#dependencies.logger.info(`the node ${change}, as the operator asked`);
  }
}

/** Name of this node for people: the machine and the process. */
function nodeName(): string {
  return `${hostname()}-${process.pid}`;
}
