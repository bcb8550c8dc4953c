import type { Fields } from "../define/fields.js";
import { type CallContext, frameOf, readEventField, writeEventField } from "./call-context.js";
import { answerEveryField } from "./field-accessors.js";

let contextOf: (event: CallEvent) => CallContext;
let isGenuine: (event: CallEvent) => boolean;

/** The first argument of a handler: a view of the event as it stands, private to the call (HOOK-038). */
export class CallEvent {
  readonly #context: CallContext;

  constructor(context: CallContext) {
    this.#context = context;
  }

  get context(): CallContext {
    return this.#context;
  }

  /** A plain copy: the fields as this handler sees them, without the context. */
  toJSON(): Fields {
    const fields: Record<string, unknown> = {};
    for (const name in frameOf(this.#context).event) {
      fields[name] = readEventField(this.#context, name);
    }
    return fields;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): Fields {
    return this.toJSON();
  }

  static {
    contextOf = (event) => event.#context;
    isGenuine = (event) => #context in event;
  }
}

answerEveryField(CallEvent.prototype, {
  get: (event, name) => readEventField(contextOf(event), name),
  set: (event, name, value) => writeEventField(contextOf(event), name, value),
  has: (event, name) => isGenuine(event) && name in frameOf(contextOf(event)).event,
});

/** The fields of an event to dispatch; a handler may pass on the one it was given. */
export function eventFieldsOf(event: object): Fields {
  return event instanceof CallEvent ? event.toJSON() : (event as Fields);
}
