import type { Fields } from "./fields.js";
import type { HandlerEntry } from "./handler-entry.js";
import type { Hook } from "./hook.js";

/** A handler being called, as seen by a dispatch made from inside it. */
export interface Caller {
  readonly frame: Frame;
  readonly entry: HandlerEntry;
}

/**
 * What a dispatch shows its handlers at one moment. A result that rewrites the event makes a new
 * frame, so a handler that was given up keeps seeing the event it was called with.
 */
export class Frame {
  constructor(
    readonly hook: Hook,
    readonly event: Fields,
    readonly context: Fields,
    /** Whose handler made this dispatch, if a handler did. */
    readonly caller: Caller | null,
  ) {}

  rewritten(event: Fields): Frame {
    return new Frame(this.hook, event, this.context, this.caller);
  }
}
