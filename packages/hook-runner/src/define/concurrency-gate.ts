/** A call that waits for a slot. */
export interface SlotWaiter {
  /** Called once, when the slot is the waiter's. */
  enter(): void;
}

/** What asking for a slot comes to. */
export type SlotAnswer = "entered" | "waiting" | "saturated";

/** Bounds the calls of one registration in flight, across dispatches and generations (HOOK-025). */
export class ConcurrencyGate {
  private held = 0;
  /** Slots of calls that were given up but have not settled. */
  private overdue = 0;
  private readonly waiting = new Set<SlotWaiter>();

  constructor(private readonly limit: number) {}

  /** Takes a slot or a place in the queue; with every slot overdue there is nothing to wait for. */
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

  /** The call is past its deadline, or aborted, and still holds its slot. */
  markOverdue(): void {
    this.overdue += 1;
  }

  /** The call has settled; the slot goes to whoever has waited longest. */
  leave(wasOverdue: boolean): void {
    if (wasOverdue) this.overdue -= 1;
    for (const next of this.waiting) {
      this.waiting.delete(next);
      next.enter();
      return;
    }
    this.held -= 1;
  }
}
