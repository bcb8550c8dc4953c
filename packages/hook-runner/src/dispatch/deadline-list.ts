import type { Clock, TimerHandle } from "@openclaw/foundation";
import type { HandlerEntry } from "../define/handler-entry.js";

/** A handler that a dispatch in flight has called, or will still call. */
export interface HeldHandler {
  readonly entry: HandlerEntry;
  readonly state: "running" | "queued";
  /** Aborts the signal of the call, if it is running. */
  abort(reason: unknown): void;
}

/** A member of the list until it is removed or its deadline passes. */
export interface DeadlineMember {
  /** Time of the list, as returned by `deadlineIn`. */
  deadline: number;
  next: DeadlineMember | null;
  previous: DeadlineMember | null;
  expire(): void;
  held(): readonly HeldHandler[];
}

const TICK_MS = 15;
const IDLE_TICKS = 5;
const STALL_MS = 50;

/**
 * All deadlines of a runner, on one timer (HOOK-022).
 *
 * A timer per call would cost more than the call. Members link themselves in, and one interval
 * looks for those that are due, so arming a deadline is a single addition and reads no clock.
 *
 * The list keeps its own time: each tick adds the ms since the last one, but two ticks' worth at
 * most. A blocked event loop thus costs a handler nothing, because the handler could not run either.
 * As up to one tick may have gone by unseen when a deadline is armed, one tick is added to each: none
 * fires early, and on an idle loop none fires more than two ticks late.
 */
export class DeadlineList {
  /** Milliseconds the event loop has been seen alive, as of the last tick. */
  now = 0;
  /** Number of ticks that were late enough to prove a blocked event loop. */
  stalls = 0;
  private head: DeadlineMember | null = null;
  private timer: TimerHandle = undefined;
  private idleTicks = 0;
  private lastTickAt = 0;

  /**
   * @param clock - source of the ticks
   * @param onStall - called each time a blocked event loop was detected
   */
  constructor(
    private readonly clock: Clock,
    private readonly onStall: () => void = () => {},
  ) {}

  deadlineIn(ms: number): number {
    return this.now + ms + TICK_MS;
  }

  /**
   * Returns the time since the deadline that is due at `deadline` was armed, in ms and in steps of
   * a tick.
   */
  elapsedSinceArmed(deadline: number, ms: number): number {
    return this.now - (deadline - ms - TICK_MS);
  }

  add(member: DeadlineMember): void {
    const head = this.head;
    member.next = head;
    member.previous = null;
    if (head !== null) head.previous = member;
    this.head = member;
    if (this.timer === undefined) this.start();
  }

  remove(member: DeadlineMember): void {
    const { next, previous } = member;
    if (previous === null) {
      if (this.head !== member) return;
      this.head = next;
    } else {
      previous.next = next;
    }
    if (next !== null) next.previous = previous;
    member.next = null;
    member.previous = null;
  }

  /** The handlers that dispatches in flight have called, or will still call. */
  *held(): Generator<HeldHandler> {
    for (let member = this.head; member !== null; member = member.next) yield* member.held();
  }

  private start(): void {
    this.lastTickAt = this.clock.now();
    this.idleTicks = 0;
    // Not unref'd: a process must not exit while a dispatch it waits for is unresolved.
    this.timer = this.clock.setInterval(() => this.tick(), TICK_MS);
  }

  private tick(): void {
    const elapsed = Math.floor(this.clock.now() - this.lastTickAt);
    this.lastTickAt += elapsed;
    this.now += Math.min(elapsed, 2 * TICK_MS);
    if (elapsed > TICK_MS + STALL_MS) {
      this.stalls += 1;
      this.onStall();
    }

    if (this.head === null) {
      this.idleTicks += 1;
      if (this.idleTicks >= IDLE_TICKS) {
        this.clock.clearInterval(this.timer);
        this.timer = undefined;
      }
      return;
    }
    this.idleTicks = 0;
    for (const member of this.due()) {
      // An earlier member of this round may have ended it, or moved its deadline.
      if (this.holds(member) && member.deadline <= this.now) member.expire();
    }
  }

  // Collected before any of them expires: expiring runs handlers, which change the list.
  private due(): DeadlineMember[] {
    const due: DeadlineMember[] = [];
    for (let member = this.head; member !== null; member = member.next) {
      if (member.deadline <= this.now) due.push(member);
    }
    return due.reverse();
  }

  private holds(member: DeadlineMember): boolean {
    return member.previous !== null || this.head === member;
  }
}
