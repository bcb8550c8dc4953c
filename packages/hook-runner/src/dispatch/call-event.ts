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
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "object" || value === null) event[name] = value;
    // An own "__proto__" comes from parsed JSON; assigning it would replace the prototype.
    else if (name !== "__proto__") event[name] = isolate(value, isolation.get(name));
  }
  for (const name of frozenFields) {
    if (Object.hasOwn(event, name)) Object.defineProperty(event, name, UNWRITABLE);
  }
  return Object.defineProperty(event, "context", {
    value: context,
    enumerable: false,
    writable: true,
    configurable: true,
  });
}

const UNWRITABLE = { writable: false };
