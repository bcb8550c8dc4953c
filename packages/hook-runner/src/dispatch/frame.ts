import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";

/** The handlers inside which a dispatch was made, outermost first. */
export type CallPath = readonly HandlerEntry[];

/** Of a dispatch that no handler made. */
export const OUTSIDE: CallPath = [];

/**
 * What a dispatch shows its handlers at one moment. A result that rewrites the event makes a new
 * frame, so a handler that was given up keeps seeing the event it was called with.
 */
export class Frame {
  constructor(
    readonly event: Fields,
    readonly context: Fields,
    readonly path: CallPath,
  ) {}

  rewritten(event: Fields): Frame {
    return new Frame(event, this.context, this.path);
  }
}
