const HIDDEN = { value: undefined, writable: true, configurable: true, enumerable: false };
const CONFIG = {};

/** A context with own fields, whose signal and logger are inherited. */
class Context {
  constructor(fields) {
    for (const name in fields) this[name] = copyOf(fields[name]);
    this.pluginId = "plugin";
    this.hookName = "check";
    this.pluginConfig = CONFIG;
  }
}

/**
 * Returns a handler that is called with its own plain event and context, as directly as this can be written.
 * @param handler - handler with event and context
 */
export function isolated(handler) {
  return (event, context) => {
    const own = new Context(context);
    return handler(eventOf(event, own), own);
  };
}

function eventOf(fields, context) {
  const event = {};
  HIDDEN.value = context;
  Object.defineProperty(event, "context", HIDDEN);
  for (const name in fields) event[name] = copyOf(fields[name]);
  return event;
}

function copyOf(value) {
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const name in value) copy[name] = copyOf(value[name]);
  return copy;
}
