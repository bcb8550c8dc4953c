import type { HandlerEntry } from "../define/handler-entry.js";
import { CallAbandonedError } from "./guarded-call.js";
import type { DispatchRecord, HandlerRecord } from "./record.js";

/**
 * The rest of an abandoned call: if its handler settles later, that is counted and otherwise
 * ignored (HOOK-021). It does not refer to a run, so a handler that never settles keeps none in
 * memory.
 */
export class LateSettlement {
  constructor(
    private readonly entry: HandlerEntry,
    private readonly record: DispatchRecord | null,
    private readonly note: HandlerRecord | undefined,
  ) {}

  fulfilled(): void {
    this.entry.counters.late += 1;
    this.entry.hook.counters.late += 1;
    if (this.note !== undefined) this.record?.settledLate(this.note);
  }

  rejected(error: unknown): void {
    // A guarded call rejects with this when its handler was not running; then no handler settled.
    if (!(error instanceof CallAbandonedError)) this.fulfilled();
  }
}
