import type { TimerHandle } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/foundation/errors";
import type { ConcurrencyGate, SlotWaiter } from "../define/concurrency-gate.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { type Answer, readResult } from "../define/result.js";
import { abortCall, CallContext } from "./call-context.js";
import { createEvent } from "./call-event.js";
import type { Engine } from "./engine.js";
import type { Frame } from "./frame.js";

/** Every slot of the registration is taken by a call past its deadline (HOOK-026). */
export class ConcurrencyLimitError extends OpenClawError {
  static override readonly kind = "busy";
}

/** The dispatch abandoned the call before its handler ran, or between two attempts. */
export class CallAbandonedError extends OpenClawError {
  static override readonly kind = "conflict";
}

function noSuspension(): void {}

/**
 * One call of a handler that has retries or a concurrency limit (HOOK-024, HOOK-025). The slow
 * path: handlers without either are called directly.
 */
export class GuardedCall implements SlotWaiter {
  attempts = 0;
  /** The handler's return value; set when `run` has succeeded. */
  answer: Answer = undefined;
  /** Time that the call waited for its slot, in ms. */
  queueWaitMs = 0;
  private context: CallContext | null = null;
  private givenUp = false;
  private holdsSlot = false;
  private backoff: TimerHandle = undefined;
  private resume = noSuspension;
  private cancel: (error: CallAbandonedError) => void = noSuspension;

  constructor(
    private readonly engine: Engine,
    private readonly frame: Frame,
    private readonly entry: HandlerEntry,
  ) {}

  /**
   * Calls the handler until it succeeds or no attempts remain; the first time immediately if there
   * is a slot. The slot is kept until the handler has settled, regardless of the dispatch.
   *
   * @throws ConcurrencyLimitError, CallAbandonedError, or the error of the last attempt
   */
  async run(): Promise<void> {
    const { gate, retry, hook, closed } = this.entry;
    if (gate !== null && !this.enters(gate)) await this.queue();
    try {
      for (;;) {
        if (this.givenUp) throw new CallAbandonedError("the dispatch continued without this call");
        this.attempts += 1;
        try {
          this.answer = readResult(hook, closed, await this.callHandler());
          return;
        } catch (error) {
          if (this.givenUp || retry === undefined || this.attempts > retry.count) throw error;
        }
        // Without a backoff too, each attempt is a stretch of its own, whose time is that of its handler.
        const { backoffMs } = retry;
        await (backoffMs > 0 ? this.pause(backoffMs * 2 ** (this.attempts - 1)) : null);
      }
    } finally {
      gate?.leave(this.givenUp);
    }
  }

  /** The dispatch continues without this call: it enters no queue and starts no more attempts. */
  giveUp(): void {
    this.givenUp = true;
    if (this.holdsSlot) this.entry.gate?.markOverdue();
    else this.entry.gate?.withdraw(this);
    this.engine.clock.clearTimeout(this.backoff);
    this.cancel(new CallAbandonedError("the dispatch continued without this call"));
  }

  /** Aborts the signal of the attempt that is running. */
  abort(reason: unknown): void {
    if (this.context !== null) abortCall(this.context, reason);
  }

  enter(): void {
    this.holdsSlot = true;
    this.resume();
  }

  private callHandler(): unknown {
    const { engine, frame, entry } = this;
    const { handler } = entry;
    const { running, path } = engine;
    engine.running = entry;
    engine.path = frame.path;
    try {
      const context = new CallContext(frame, entry);
      this.context = context;
      return handler(createEvent(frame, entry, context), context);
    } finally {
      engine.running = running;
      engine.path = path;
    }
  }

  private enters(gate: ConcurrencyGate): boolean {
    const answer = gate.ask(this);
    if (answer === "saturated") throw new ConcurrencyLimitError("every slot is held");
    this.holdsSlot = answer === "entered";
    return this.holdsSlot;
  }

  private async queue(): Promise<void> {
    const since = this.engine.clock.now();
    try {
      await this.suspended();
    } finally {
      this.queueWaitMs = this.engine.clock.now() - since;
    }
  }

  private pause(ms: number): Promise<void> {
    const pause = this.suspended();
    this.backoff = this.engine.clock.setTimeout(this.resume, ms);
    return pause;
  }

  /** Until `resume`, or `cancel` when the dispatch abandons the call. */
  private suspended(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.resume = resolve;
      this.cancel = reject;
    });
  }
}
