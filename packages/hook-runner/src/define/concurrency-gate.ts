/** A call that waits for a slot. */
export interface SlotWaiter {
  /** Called once, when the waiter gets the slot. */
  enter(): void;
}

/** Result of a request for a slot. */
export type SlotAnswer = "entered" | "waiting" | "saturated";

/**
 * Limits the concurrent calls of one registration, across dispatches and generations (HOOK-025).
 */
export class ConcurrencyGate {
  private held = 0;
  /** Slots of abandoned calls that have not settled. */
  private overdue = 0;
  private readonly waiting = new Set<SlotWaiter>();

  constructor(private readonly limit: number) {}

  /** Takes a slot or a place in the queue; fails when every slot is overdue. */
  ask(waiter: SlotWaiter): SlotAnswer {
    if (this.held < this.limit) {
      this.held += 1;
      return "entered";
    }
    if (this.overdue >= this.limit) return "saturated";
    this.waiting.add(waiter);
    return "waiting";
  }

  /** Leaves the queue. */
  withdraw(waiter: SlotWaiter): void {
    this.waiting.delete(waiter);
  }

  /** Marks the call as past its deadline, or aborted, while it still has its slot. */
  markOverdue(): void {
    this.overdue += 1;
  }

  /** Releases the slot of a settled call to the call that has waited longest. */
  leave(wasOverdue: boolean): void {
    if (wasOverdue) this.overdue -= 1;
    if (this.waiting.size === 0) {
      this.held -= 1;
      return;
    }
    for (const next of this.waiting) {
      this.waiting.delete(next);
      next.enter();
      return;
    }
  }
}
