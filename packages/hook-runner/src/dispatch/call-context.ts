import type { Fields } from "../define/fields.js";
import type { HookLogger } from "../define/handler.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { isolate } from "../define/isolation.js";
import { answerEveryField } from "./field-accessors.js";
import type { Frame } from "./frame.js";

type OwnFields = Map<string, unknown>;

/** What one call has of its own; most calls need none of it. */
class CallState {
  /** Private copies of fields, and what the handler wrote to them. */
  eventFields: OwnFields | undefined;
  contextFields: OwnFields | undefined;
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
let writeOwnEventField: (context: CallContext, name: string, value: unknown) => void;
let readContextField: (context: CallContext, name: string) => unknown;
let writeContextField: (context: CallContext, name: string, value: unknown) => void;
let isGenuine: (context: CallContext) => boolean;
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
    return this.#entry.hook.name;
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
    const fields: Record<string, unknown> = {};
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
      if (own?.has(name)) return own.get(name);
      const value = context.#frame.event[name];
      if (typeof value !== "object" || value === null) return value;
      const isolated = isolate(value, context.#entry.hook.isolation.get(name));
      writeOwnEventField(context, name, isolated);
      return isolated;
    };
    writeOwnEventField = (context, name, value) => {
      const state = stateOf(context);
      state.eventFields ??= new Map();
      state.eventFields.set(name, value);
    };
    readContextField = (context, name) => {
      const own = context.#state?.contextFields;
      if (own?.has(name)) return own.get(name);
      const value = context.#frame.context[name];
      if (typeof value !== "object" || value === null) return value;
      const isolated = isolate(value, undefined);
      writeContextField(context, name, isolated);
      return isolated;
    };
    writeContextField = (context, name, value) => {
      const state = stateOf(context);
      state.contextFields ??= new Map();
      state.contextFields.set(name, value);
    };
    isGenuine = (context) => #frame in context;
  }
}

answerEveryField(CallContext.prototype, {
  get: readContextField,
  set: writeContextField,
  has: (context, name) => isGenuine(context) && name in frameOf(context).context,
});

/** What a handler writes into its event is its own; only frozen fields refuse it. */
export function writeEventField(context: CallContext, name: string, value: unknown): void {
  const { hook } = entryOf(context);
  if (hook.isolation.get(name) === "frozen") {
    throw new TypeError(
      `Plugin "${context.pluginId}": field "${name}" of hook "${hook.name}" is frozen; ` +
        "return a result instead of writing to the event.",
    );
  }
  writeOwnEventField(context, name, value);
}

/** The fields of a context to dispatch with: of a handler's own, those it was given. */
export function contextFieldsOf(context: object): Fields {
  return context instanceof CallContext ? frameOf(context).context : (context as Fields);
}
