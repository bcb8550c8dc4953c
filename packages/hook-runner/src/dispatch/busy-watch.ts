import { type AsyncHook, AsyncLocalStorage, createHook } from "node:async_hooks";
import type { Clock } from "@openclaw/foundation";
import type { HandlerEntry } from "../define/handler-entry.js";

/** A handler that blocks the process for longer is reported; it cannot be interrupted. */
const BUSY_MS = 50;
/** Number of calls followed after their first await, each time a blocked event loop was detected. */
const FOLLOWED_CALLS = 256;
/**
 * Number of callbacks of the event loop after which calls are no longer followed, however few there were: each of them
 * costs while calls are followed, also in a process that dispatches no more hooks.
 */
const FOLLOWED_CALLBACKS = 20_000;
/** Kind of the stretches that are calls of handlers rather than callbacks of the event loop. */
const CALL = 0;

/** Code that runs without yielding to the event loop. */
interface Stretch {
  readonly asyncId: number;
  readonly startedAt: number;
  /** Duration of the stretches within it. */
  innerMs: number;
}

/**
 * Finds the handlers that block the process, so that no other plugin or session can run. Until its
 * first await a handler runs inside its call, which is timed wherever calls are recorded. Code
 * after an await costs more to attribute, so calls are followed there only for a while after a
 * blocked event loop was detected: a blocking handler is found the second time at the latest.
 */
export class BusyWatch {
  private readonly owners = new AsyncLocalStorage<HandlerEntry>();
  private readonly stretches: Stretch[] = [];
  private hook: AsyncHook | undefined;
  private callsLeft = 0;
  private callbacksLeft = 0;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (entry: HandlerEntry, ms: number) => void,
  ) {}

  /** True while calls are followed after their first await, which requires recording all of them. */
  get follows(): boolean {
    return this.callsLeft > 0;
  }

  /** Follows the next calls. */
  follow(): void {
    this.callsLeft = FOLLOWED_CALLS;
    this.callbacksLeft = FOLLOWED_CALLBACKS;
    this.hook ??= createHook({
      before: (asyncId) => void this.begin(asyncId),
      after: (asyncId) => this.leave(asyncId),
    });
    this.hook.enable();
  }

  /** Calls a handler and times it until its first await. */
  run<Value>(entry: HandlerEntry, call: () => Value): Value {
    const stretch = this.begin(CALL);
    try {
      return this.follows ? this.followed(entry, call) : call();
    } finally {
      // A callback that began inside and has not ended, because following ended before it, goes too.
      while (this.stretches.length > 0 && this.stretches.at(-1) !== stretch) this.stretches.pop();
      this.end(entry);
    }
  }

  private followed<Value>(entry: HandlerEntry, call: () => Value): Value {
    this.callsLeft -= 1;
    if (this.callsLeft === 0) this.stopFollowing();
    return this.owners.run(entry, call);
  }

  private stopFollowing(): void {
    this.callsLeft = 0;
    this.hook?.disable();
  }

  private begin(asyncId: number): Stretch {
    const stretch = { asyncId, startedAt: this.clock.now(), innerMs: 0 };
    this.stretches.push(stretch);
    return stretch;
  }

  /** A callback has ended; one that began before following did is not counted. */
  private leave(asyncId: number): void {
    if (this.stretches.at(-1)?.asyncId === asyncId) this.end(this.owners.getStore());
    this.callbacksLeft -= 1;
    if (this.callbacksLeft === 0) this.stopFollowing();
  }

  private end(entry: HandlerEntry | undefined): void {
    const stretch = this.stretches.pop();
    if (stretch === undefined) return;
    const wholeMs = this.clock.now() - stretch.startedAt;
    const around = this.stretches.at(-1);
    if (around !== undefined) around.innerMs += wholeMs;
    const ownMs = wholeMs - stretch.innerMs;
    if (entry !== undefined && ownMs > BUSY_MS) this.tell(entry, ownMs);
  }
}
