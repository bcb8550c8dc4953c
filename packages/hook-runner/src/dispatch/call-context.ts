import type { Fields } from "../define/fields.js";
import type { HookLogger } from "../define/handler.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { isolate } from "../define/isolation.js";
import type { Frame } from "./frame.js";

/** Creates the signal of a call on first read; most handlers never read it. */
class CallSignal {
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

// Operations on a call's context for the runner, hidden from handlers, which hold the same object.
export let frameOf: (context: CallContext) => Frame;
export let entryOf: (context: CallContext) => HandlerEntry;
export let abortCall: (context: CallContext, reason: unknown) => void;

/**
 * The second argument of a handler: a copy of the dispatch's context, and the owner's id, hook name
 * and config, all as own data properties (HOOK-037). `signal` and `logger` are inherited, because
 * neither can be cloned or serialised as JSON, and creating a signal for every call is expensive.
 */
export class CallContext {
  readonly #frame: Frame;
  readonly #entry: HandlerEntry;
  #signal: CallSignal | undefined;

  constructor(frame: Frame, entry: HandlerEntry) {
    this.#frame = frame;
    this.#entry = entry;
    const fields = this as Record<string, unknown>;
    const { context } = frame;
    for (const name in context) {
      if (name === "signal" || name === "logger" || name === "__proto__") continue;
      const value = context[name];
      fields[name] = typeof value === "object" && value !== null ? isolate(value) : value;
    }
    fields.pluginId = entry.owner;
    fields.hookName = entry.hook.name;
    fields.pluginConfig = entry.config;
  }

  get logger(): HookLogger | undefined {
    return this.#entry.logger;
  }

  get signal(): AbortSignal {
    this.#signal ??= new CallSignal();
    return this.#signal.signal;
  }

  static {
    frameOf = (context) => context.#frame;
    entryOf = (context) => context.#entry;
    abortCall = (context, reason) => {
      context.#signal ??= new CallSignal();
      context.#signal.abort(reason);
    };
  }
}

// Then `context.constructor` is `Object`, by which assertion libraries and `util.inspect` tell that
// an object is a plain one.
Reflect.deleteProperty(CallContext.prototype, "constructor");
// All contexts share it: every handler would see an addition by another.
Object.freeze(CallContext.prototype);

/**
 * Returns the fields of a context for a dispatch: for a handler's context, those of its dispatch.
 */
export function contextFieldsOf(context: object): Fields {
  return context instanceof CallContext ? frameOf(context).context : (context as Fields);
}
