import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";

/** The handlers inside which a dispatch was made, outermost first. */
export type CallPath = readonly HandlerEntry[];

/** Frame of a dispatch made outside any handler. */
export const OUTSIDE: CallPath = [];

/**
 * State of a dispatch that its handlers see at one moment. A result that rewrites the event creates
 * a new frame, so an abandoned handler keeps seeing the event it was called with.
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
