import { randomUUID } from "node:crypto";
import { logRejection } from "@openclaw/agent";
import { defined, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { SubagentManager } from "../subagents/manager.js";
import type { LiveSessions } from "./live-sessions.js";

/** Topics of requests to interrupt a turn, whichever node runs it, and of the answers. */
const REQUESTS = "interrupt-turn";
const ANSWERS = "interrupted-turn";
/** Longest wait for the answers of other nodes, which look for notices each second without NOTIFY. */
const WAIT_MS = 5000;

/** Turns that are to be interrupted. */
export interface InterruptTarget {
  /** Full key of the session. */
  readonly sessionKey: string;
  /** Only the turn with this ID; any turn when absent. */
  readonly runId?: string | undefined;
  /** True to interrupt the turn with the ID also while it waits. */
  readonly isWaitingToo?: boolean | undefined;
}

/** Dependencies of {@link SessionInterrupts}. */
export interface SessionInterruptsDependencies {
  readonly store: Pick<Store, "nodes" | "topics" | "turns">;
  readonly live: Pick<LiveSessions, "turns" | "interrupt" | "cancel">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/** Answers of the other nodes to a request. */
interface OpenRequest {
  /** Number of nodes that have not answered. */
  left: number;
  settle(wasRunning: boolean): void;
}

/** Interrupts turns, also those that another node runs (TURN-052, TURN-053, SCALE-512). */
export class SessionInterrupts {
  readonly #dependencies: SessionInterruptsDependencies;
  readonly #open = new Map<string, OpenRequest>();

  /** @param dependencies - store, live sessions, subagents, timers, log, and the signal of the host */
  constructor(dependencies: SessionInterruptsDependencies) {
    this.#dependencies = dependencies;
    const { store, logger, signal } = dependencies;
    if (store.nodes.own === undefined || signal.aborted) return;
    const ends = [
      store.topics.subscribe(REQUESTS, (text, { isOwn }) => {
        if (!isOwn) logRejection(this.#answer(text), logger);
      }),
      store.topics.subscribe(ANSWERS, (text, { isOwn }) => {
        if (!isOwn) this.#answered(text);
      }),
    ];
    const end = () => {
      for (const unsubscribe of ends) unsubscribe();
      for (const request of this.#open.values()) request.settle(false);
    };
    signal.addEventListener("abort", end, { once: true });
  }

  /**
   * Interrupts the turn that runs in a session, and stops the session's subagents.
   * @param target - session, and the turn
   * @returns true when a turn or a subagent was interrupted, on whichever node
   */
  async interrupt(target: InterruptTarget): Promise<boolean> {
    return (await this.#interruptHere(target)) || (await this.#ask(target));
  }

  /**
   * Interrupts the turn that runs in a session before a newer message of it; does not wait for another node.
   * @param sessionKey - full key of the session
   */
  async makeWay(sessionKey: string): Promise<void> {
    if (await this.#interruptHere({ sessionKey })) return;
    const { nodes, turns, topics } = this.#dependencies.store;
    if (nodes.own === undefined) return;
    const next = await turns.next(sessionKey);
    if (next === undefined || next.nodeId === nodes.own) return;
    topics.publish(REQUESTS, JSON.stringify({ sessionKey, runId: next.runId }));
  }

  async #interruptHere({ sessionKey, runId, isWaitingToo }: InterruptTarget): Promise<boolean> {
    const { live, subagents } = this.#dependencies;
    const running = live.turns(sessionKey).find(({ isRunning }) => isRunning);
    if (runId !== undefined && running?.turn.runId !== runId) {
      return isWaitingToo === true && live.cancel(sessionKey, runId);
    }
    const wasRunning = live.interrupt(sessionKey);
    const stopped = await subagents.stopSubagentsOf(sessionKey);
    return wasRunning || stopped > 0;
  }

  /** Asks the other nodes, and resolves with the first answer that one of them interrupted it. */
  async #ask(target: InterruptTarget): Promise<boolean> {
    const { store, timers, signal } = this.#dependencies;
    const { own } = store.nodes;
    if (own === undefined || signal.aborted) return false;
    const nodes = await store.nodes.list();
    const others = nodes.filter(
      ({ nodeId, isLive, facts }) => isLive && nodeId !== own && facts.role !== "command",
    );
    if (others.length === 0) return false;
    const requestId = randomUUID();
    return await new Promise<boolean>((resolve) => {
      const timer = timers.setTimeout(() => settle(false), WAIT_MS);
      const settle = (wasRunning: boolean) => {
        timers.clearTimeout(timer);
        this.#open.delete(requestId);
        resolve(wasRunning);
      };
      this.#open.set(requestId, { left: others.length, settle });
      store.topics.publish(REQUESTS, JSON.stringify(defined({ requestId, ...target })));
    });
  }

  async #answer(text: string): Promise<void> {
    const { requestId, sessionKey, runId, isWaitingToo }: Record<string, unknown> =
      JSON.parse(text);
    if (typeof sessionKey !== "string") return;
    const wasRunning = await this.#interruptHere({
      ...{ sessionKey, isWaitingToo: isWaitingToo === true },
      runId: typeof runId === "string" ? runId : undefined,
    });
    if (requestId === undefined) return;
    this.#dependencies.store.topics.publish(ANSWERS, JSON.stringify({ requestId, wasRunning }));
  }

  #answered(text: string): void {
    const { requestId, wasRunning }: Record<string, unknown> = JSON.parse(text);
    const request = this.#open.get(String(requestId));
    if (request === undefined) return;
    request.left -= 1;
    if (wasRunning === true || request.left === 0) request.settle(wasRunning === true);
  }
}
