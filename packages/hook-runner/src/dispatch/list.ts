import type { HookKind } from "../define/definition.js";
import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import type { Hook } from "../define/hook.js";
import type { HookStage, Registration } from "../define/registration.js";
import type { HookCounters } from "../observe/counters.js";
import type { ParallelListeners, SequentialListener } from "./listeners.js";

// Timing ten handlers takes longer than running them, so most dispatches are not timed.
const SAMPLED_FIRST = 8;
const SAMPLED_EVERY = 4096;
const SAMPLED_WHEN_SLOW = 64;

/** A registration that the host's gate disables. */
export interface InactiveRegistration {
  readonly registration: Registration;
  readonly reason: string;
}

/** Part of a list to dispatch to. */
export interface ListPart {
  readonly stage?: HookStage | undefined;
  readonly owner?: string | undefined;
}

/**
 * The handlers of one hook in one generation, in order (HOOK-040). Immutable: a registration
 * creates a new list, and dispatches in flight keep theirs.
 */
export class DispatchList {
  readonly kind: HookKind;
  readonly counters: HookCounters;
  /** Count of the dispatch that is recorded even without a listener. */
  sampleAt = 0;
  /** Callbacks that the last dispatch no longer needs and the next one may reuse. */
  spareListener: SequentialListener | null = null;
  spareListeners: ParallelListeners | null = null;
  private samplesInARow = SAMPLED_FIRST;
  private stallsSeen = 0;
  private readonly matchesAlways: boolean;
  private readonly parts = new Map<string, DispatchList>();

  constructor(
    readonly hook: Hook,
    readonly generation: number,
    readonly entries: readonly HandlerEntry[],
    readonly inactive: readonly InactiveRegistration[],
  ) {
    this.kind = hook.kind;
    this.counters = hook.counters;
    this.matchesAlways = entries.some(({ scope }) => scope === null);
  }

  /** Plans the next sample: at once for the first ones of a list, then after many dispatches. */
  sampled(): void {
    this.samplesInARow -= 1;
    this.sampleAt = this.counters.dispatched + (this.samplesInARow > 0 ? 1 : SAMPLED_EVERY);
  }

  /** Samples the next dispatches too, if the event loop was blocked since the last check. */
  watchAfter(stalls: number): void {
    if (stalls === this.stallsSeen) return;
    this.stallsSeen = stalls;
    this.watchClosely();
  }

  /** Samples the next dispatches too; one of these handlers was slow. */
  watchClosely(): void {
    this.samplesInARow = SAMPLED_WHEN_SLOW;
    this.sampleAt = 0;
  }

  /**
   * Returns true when any handler is in scope; a dispatch without one allocates nothing (HOOK-015).
   */
  hasMatch(event: Fields, context: Fields): boolean {
    return this.matchesAlways || this.entries.some(({ scope }) => scope?.matches(event, context));
  }

  /** Returns the list with only the handlers of one stage or owner. */
  part({ stage, owner }: ListPart): DispatchList {
    if (stage === undefined && owner === undefined) return this;
    const key = JSON.stringify([stage, owner]);
    let part = this.parts.get(key);
    if (part === undefined) {
      const entries = this.entries.filter(
        (entry) =>
          (stage === undefined || entry.registration.stage === stage) &&
          (owner === undefined || entry.owner === owner),
      );
      part = new DispatchList(this.hook, this.generation, entries, []);
      // Owners without a handler here are not remembered: their names may be anything.
      if (entries.length > 0) this.parts.set(key, part);
    }
    return part;
  }
}
