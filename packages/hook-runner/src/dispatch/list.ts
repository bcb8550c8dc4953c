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

/** A registration that the host's gate holds back. */
export interface InactiveRegistration {
  readonly registration: Registration;
  readonly reason: string;
}

/** Which part of a list a dispatch is for. */
export interface ListPart {
  readonly stage?: HookStage | undefined;
  readonly owner?: string | undefined;
}

/**
 * The handlers of one hook in one generation, in the order they run (HOOK-040). Never changed: a
 * registration makes a new list, and dispatches in flight keep the one they began with.
 */
export class DispatchList {
  readonly kind: HookKind;
  readonly counters: HookCounters;
  /** The dispatch, by count, that is to be recorded though nobody listens. */
  sampleAt = 0;
  /** Callbacks that the last dispatch needs no more and the next one may use. */
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

  /** Samples the next dispatches too, if the event loop was blocked since it was last asked. */
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

  /** Whether any handler is in scope; a dispatch that finds none makes nothing (HOOK-015). */
  hasMatch(event: Fields, context: Fields): boolean {
    return this.matchesAlways || this.entries.some(({ scope }) => scope?.matches(event, context));
  }

  /** The list with only the handlers of one stage or owner. */
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
