import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { isolate } from "../define/isolation.js";
import type { CallContext } from "./call-context.js";
import type { Frame } from "./frame.js";

/**
 * Returns the first argument of a handler: a plain object of this call only (HOOK-037, HOOK-038).
 *
 * Fields are assigned one by one, not spread: events of many shapes pass through here, and V8 spreads
 * only the first few shapes that it meets at one place quickly.
 */
export function createEvent(frame: Frame, entry: HandlerEntry, context: CallContext): Fields {
  const { event: fields } = frame;
  const { isolation, frozenFields } = entry.hook;
  const event: Record<string, unknown> = {};
  Object.defineProperty(event, "context", { value: context, writable: true, configurable: true });
  for (const name in fields) {
    const value = fields[name];
    // An own "__proto__" comes from parsed JSON; assigning it would replace the prototype.
    if (name === "context" || name === "__proto__") continue;
    const own =
      typeof value === "object" && value !== null ? isolate(value, isolation.get(name)) : value;
    if (frozenFields.includes(name)) {
      Object.defineProperty(event, name, { value: own, enumerable: true, configurable: true });
    } else event[name] = own;
  }
  return event;
}
