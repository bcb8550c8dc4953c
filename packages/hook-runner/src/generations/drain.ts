import { AT_ONCE, executionError } from "../define/failure.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import type { RegistrationIdentity } from "../define/registration.js";
import type { DeadlineMember, HeldHandler } from "../dispatch/deadline-list.js";
import type { Engine } from "../dispatch/engine.js";

/** A handler that a dispatch in flight still used at the deadline. */
export interface PendingCall {
  readonly registration: RegistrationIdentity;
  /** `running`: its signal has been aborted; `queued`: the dispatch has yet to call it. */
  readonly state: HeldHandler["state"];
}

export interface DrainOptions {
  /**
   * Waits only for handlers that new dispatches no longer see, because they were unregistered or
   * another generation replaced them. Default false: for all handlers of the owner.
   */
  readonly retired?: boolean;
}

export interface DrainReport {
  readonly drained: boolean;
  readonly pendingCalls: readonly PendingCall[];
}

/**
 * Waits until no dispatch in flight uses a handler of an owner (HOOK-042). It is a member of the
 * deadline list and checks at every tick.
 */
export class Drain implements DeadlineMember {
  /** Always due. */
  readonly deadline = 0;
  next: DeadlineMember | null = null;
  previous: DeadlineMember | null = null;
  private readonly until: number;

  private constructor(
    private readonly engine: Engine,
    private readonly owner: string,
    private readonly deadlineMs: number,
    private readonly isMeant: (entry: HandlerEntry) => boolean,
    private readonly report: (report: DrainReport) => void,
  ) {
    this.until = engine.deadlines.deadlineIn(deadlineMs);
  }

  static start(
    engine: Engine,
    owner: string,
    deadlineMs: number,
    isMeant: (entry: HandlerEntry) => boolean,
  ): Promise<DrainReport> {
    return new Promise((resolve) => {
      const drain = new Drain(engine, owner, deadlineMs, isMeant, resolve);
      if (!drain.isOver()) engine.deadlines.add(drain);
    });
  }

  expire(): void {
    if (this.isOver()) this.engine.deadlines.remove(this);
  }

  held(): readonly HeldHandler[] {
    return [];
  }

  private isOver(): boolean {
    const { deadlines } = this.engine;
    const pendingCalls = [...deadlines.held()].filter(
      ({ entry }) => entry.owner === this.owner && this.isMeant(entry),
    );
    if (pendingCalls.length > 0 && deadlines.now < this.until) return false;

    for (const { entry, abort } of pendingCalls) {
      const timeUp = new Error(
        `plugin "${this.owner}" had ${this.deadlineMs} ms to finish before it is disposed`,
      );
      abort(executionError(entry, "HOOK_ABORTED", timeUp, AT_ONCE));
    }
    this.report({
      drained: pendingCalls.length === 0,
      pendingCalls: pendingCalls.map(({ entry, state }) => ({
        registration: entry.registration.identity,
        state,
      })),
    });
    return true;
  }
}
