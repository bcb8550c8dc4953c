import type { Fields } from "./fields.js";
import type { HandlerEntry } from "./handler-entry.js";
import type { Hook } from "./hook.js";
import type { HookStage, Registration } from "./registration.js";

const RECORDED_FIRST = 8;
const RECORDED_EVERY = 128;

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
  private recordAt = 0;
  private recordNext = RECORDED_FIRST;
  private readonly parts = new Map<string, DispatchList>();

  constructor(
    readonly hook: Hook,
    readonly generation: number,
    readonly entries: readonly HandlerEntry[],
    readonly inactive: readonly InactiveRegistration[],
  ) {}

  /**
   * Whether the dispatch with this count is to be recorded though nobody listens. The first ones of
   * a list are, then one in 128: timing ten handlers costs more than running them.
   */
  isSample(count: number): boolean {
    if (count < this.recordAt || this.entries.length === 0) return false;
    this.recordNext -= 1;
    this.recordAt = count + (this.recordNext > 0 ? 1 : RECORDED_EVERY);
    return true;
  }

  /** Records the next dispatches too; something about this one was odd. */
  watchClosely(): void {
    this.recordNext = RECORDED_EVERY;
    this.recordAt = 0;
  }

  /** Whether any handler is in scope; a dispatch that finds none makes nothing (HOOK-015). */
  hasMatch(event: Fields, context: Fields): boolean {
    for (const { scope } of this.entries) {
      if (scope === null || scope.matches(event, context)) return true;
    }
    return false;
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
