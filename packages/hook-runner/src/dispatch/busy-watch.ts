import { type AsyncHook, AsyncLocalStorage, createHook } from "node:async_hooks";
import type { Clock } from "@openclaw/foundation";
import type { HandlerEntry } from "../define/handler-entry.js";

/** A handler that keeps the process busy for longer is told of; nothing can interrupt it. */
const BUSY_MS = 50;
/** Calls that are followed behind their first await, each time the event loop was seen blocked. */
const FOLLOWED_CALLS = 256;
/** Of the stretches that are calls of handlers, and no callbacks of the event loop. */
const CALL = 0;

/** Code that runs without the event loop getting a turn. */
interface Stretch {
  readonly asyncId: number;
  readonly startedAt: number;
  /** What stretches within it took. */
  innerMs: number;
}

/**
 * Finds the handlers that keep the process busy, so that no other plugin and no session gets a turn.
 * Up to its first await a handler runs inside its call, which is timed wherever calls are recorded.
 * What it does behind an await costs more to tell apart, so calls are only followed there for a while
 * after the event loop was seen blocked: the second time a handler is found out at the latest.
 */
export class BusyWatch {
  private readonly owners = new AsyncLocalStorage<HandlerEntry>();
  private readonly stretches: Stretch[] = [];
  private hook: AsyncHook | undefined;
  private callsLeft = 0;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (entry: HandlerEntry, ms: number) => void,
  ) {}

  /** Whether calls are followed behind their first await, for which they must all be recorded. */
  get follows(): boolean {
    return this.callsLeft > 0;
  }

  /** Follows the next calls. */
  follow(): void {
    this.callsLeft = FOLLOWED_CALLS;
    this.hook ??= createHook({
      before: (asyncId) => void this.begin(asyncId),
      after: (asyncId) => this.leave(asyncId),
    });
    this.hook.enable();
  }

  /**
   * Calls a handler and times it up to its first await.
   * @param entry - the handler
   * @param call - calls it
   */
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
    if (this.callsLeft === 0) this.hook?.disable();
    return this.owners.run(entry, call);
  }

  private begin(asyncId: number): Stretch {
    const stretch = { asyncId, startedAt: this.clock.now(), innerMs: 0 };
    this.stretches.push(stretch);
    return stretch;
  }

  /** A callback has ended; one that began before following did is none of ours. */
  private leave(asyncId: number): void {
    if (this.stretches.at(-1)?.asyncId === asyncId) this.end(this.owners.getStore());
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
