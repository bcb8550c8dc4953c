import type { Fields } from "../define/fields.js";
import type { HookFailureCode } from "../errors.js";
import { jsonPatch } from "./json-patch.js";
import { Latency, type LatencyHistogram } from "./latency.js";

/** Counters for the calls of one registration, or of all handlers of one hook. */
export interface CallCounts {
  /** Calls skipped by scope or condition. */
  readonly skipped: number;
  /** Failures by code; only codes that occurred. */
  readonly failed: Readonly<Partial<Record<HookFailureCode, number>>>;
  /** Handlers that settled after their dispatch had abandoned them. */
  readonly late: number;
  /** Latency of the timed calls (for a hook: dispatches). */
  readonly latency: LatencyHistogram;
}

export interface RegistrationCounts extends CallCounts {
  readonly registrationId: string;
  readonly owner: string;
  readonly hook: string;
  /** Dispatches that called this handler. */
  readonly dispatched: number;
  /** Successful calls; calls in flight count only in `dispatched`. */
  readonly ok: number;
  /**
   * Fields of the event that its results changed, for example `params.command`, in the order of the first change; a field
   * below the second level counts as the one above it.
   */
  readonly rewrote: readonly string[];
}

/** Maximum number of fields that are kept for a registration; names of parameters come from models. */
const MAX_REWRITTEN = 100;

export interface HookCounts extends CallCounts {
  /** Dispatches, including those without a handler. */
  readonly dispatched: number;
  /** Finished dispatches that were neither failed, nor denied by a failure, nor aborted. */
  readonly ok: number;
  /** Currently active handlers; a hook with handlers and no dispatch has never fired. */
  readonly handlers: number;
}

/** Every name of the hook map, and every registration of the current generation. */
export interface RunnerCounts<Name extends string = string> {
  readonly hooks: Readonly<Record<Name, HookCounts>>;
  readonly registrations: readonly RegistrationCounts[];
}

/** Counts only rare events; the usual case is one increment per call, the rest is subtraction. */
export class CallCounters {
  dispatched = 0;
  skipped = 0;
  late = 0;
  readonly latency = new Latency();
  private readonly failed = new Map<HookFailureCode, number>();
  private readonly rewritten = new Set<string>();

  fail(code: HookFailureCode): void {
    this.failed.set(code, (this.failed.get(code) ?? 0) + 1);
  }

  /**
   * Notes the parts of a field in which an event differs from the one before it.
   * @param before - its value before the result
   * @param after - its value now
   */
  rewrote(field: string, before: unknown, after: unknown): void {
    try {
      this.compare(field, before, after);
    } catch {
      // A getter of the event threw, which is no reason to fail the dispatch: the field counts as a whole.
      if (this.rewritten.size < MAX_REWRITTEN) this.rewritten.add(field);
    }
  }

  private compare(field: string, before: unknown, after: unknown): void {
    if (!isRecord(before) || !isRecord(after)) {
      this.note(field, before, after);
      return;
    }
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      this.note(`${field}.${key}`, before[key], after[key]);
    }
  }

  /** Fields of {@link rewrote}. */
  get rewrittenFields(): readonly string[] {
    return [...this.rewritten];
  }

  private note(part: string, before: unknown, after: unknown): void {
    if (before === after || this.rewritten.has(part) || this.rewritten.size >= MAX_REWRITTEN)
      return;
    if (jsonPatch(before, after).length > 0) this.rewritten.add(part);
  }

  /** Failed calls; when only the condition failed, the handler was not called. */
  get failedCalls(): number {
    let sum = 0;
    for (const [code, count] of this.failed) if (code !== "HOOK_CONDITION") sum += count;
    return sum;
  }

  read(): CallCounts {
    return {
      skipped: this.skipped,
      failed: Object.fromEntries(this.failed),
      late: this.late,
      latency: this.latency.histogram(),
    };
  }
}

export class HookCounters extends CallCounters {
  /** Dispatches that ended without a failure or abort. */
  ok = 0;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
