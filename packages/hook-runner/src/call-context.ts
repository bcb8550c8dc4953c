import { answerEveryField } from "./field-accessors.js";
import type { Fields } from "./fields.js";
import type { Caller, Frame } from "./frame.js";
import type { HookLogger } from "./handler.js";
import type { HandlerEntry } from "./handler-entry.js";
import { isolate } from "./isolation.js";

type WritableFields = Record<string, unknown>;

/** What one call has of its own; most calls need none of it. */
class CallState {
  /** Private copies, and what the handler wrote. */
  readonly eventFields: WritableFields = Object.create(null);
  readonly contextFields: WritableFields = Object.create(null);
  private controller: AbortController | undefined;
  private aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted !== undefined) this.controller.abort(this.aborted.reason);
    }
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.aborted = { reason };
    this.controller?.abort(reason);
  }
}

// What the runner may do with a call's context, and handlers, who hold the same object, may not.
export let frameOf: (context: CallContext) => Frame;
export let entryOf: (context: CallContext) => HandlerEntry;
export let abortCall: (context: CallContext, reason: unknown) => void;
export let readEventField: (context: CallContext, name: string) => unknown;
export let writeEventField: (context: CallContext, name: string, value: unknown) => void;
let readContextField: (context: CallContext, name: string) => unknown;
let writeContextField: (context: CallContext, name: string, value: unknown) => void;
let stateOf: (context: CallContext) => CallState;

/**
 * The second argument of a handler: the fields of the dispatch's context, plus what only this call
 * has (HOOK-037). One is made for every call, so it holds three references and nothing else.
 */
export class CallContext {
  readonly #frame: Frame;
  readonly #entry: HandlerEntry;
  #state: CallState | undefined;

  constructor(frame: Frame, entry: HandlerEntry) {
    this.#frame = frame;
    this.#entry = entry;
  }

  get pluginId(): string {
    return this.#entry.owner;
  }

  get hookName(): string {
    return this.#frame.hook.name;
  }

  get pluginConfig(): Fields {
    return this.#entry.config;
  }

  get logger(): HookLogger | undefined {
    return this.#entry.logger;
  }

  get signal(): AbortSignal {
    return stateOf(this).signal;
  }

  toJSON(): Fields {
    const { pluginId, hookName, pluginConfig } = this;
    const fields: WritableFields = {};
    for (const name in this.#frame.context) fields[name] = readContextField(this, name);
    return { ...fields, pluginId, hookName, pluginConfig };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): Fields {
    return this.toJSON();
  }

  static {
    // Not a private method: that would add a brand to every instance.
    stateOf = (context) => {
      context.#state ??= new CallState();
      return context.#state;
    };
    frameOf = (context) => context.#frame;
    entryOf = (context) => context.#entry;
    abortCall = (context, reason) => stateOf(context).abort(reason);

    readEventField = (context, name) => {
      const own = context.#state?.eventFields;
      if (own !== undefined && name in own) return own[name];
      const value = context.#frame.event[name];
      if (typeof value !== "object" || value === null) return value;
      const isolated = isolate(value, context.#frame.hook.isolation.get(name));
      stateOf(context).eventFields[name] = isolated;
      return isolated;
    };
    writeEventField = (context, name, value) => {
      const { hook } = context.#frame;
      if (hook.isolation.get(name) === "frozen") {
        throw new TypeError(
          `Plugin "${context.pluginId}": field "${name}" of hook "${hook.name}" is frozen; ` +
            "return a result instead of writing to the event.",
        );
      }
      stateOf(context).eventFields[name] = value;
    };
    readContextField = (context, name) => {
      const own = context.#state?.contextFields;
      if (own !== undefined && name in own) return own[name];
      const value = context.#frame.context[name];
      if (typeof value !== "object" || value === null) return value;
      const isolated = isolate(value, undefined);
      stateOf(context).contextFields[name] = isolated;
      return isolated;
    };
    writeContextField = (context, name, value) => {
      stateOf(context).contextFields[name] = value;
    };
  }
}

answerEveryField(CallContext.prototype, {
  get: readContextField,
  set: writeContextField,
  has: (context, name) => name in frameOf(context).context,
});

/** The handler that passed its own context on to a dispatch, if one did. */
export function callerOf(context: object): Caller | null {
  if (!(context instanceof CallContext)) return null;
  return { frame: frameOf(context), entry: entryOf(context) };
}

/** The fields of a context to dispatch with: of a handler's own, those it was given. */
export function contextFieldsOf(context: object): Fields {
  return context instanceof CallContext ? frameOf(context).context : (context as Fields);
}
