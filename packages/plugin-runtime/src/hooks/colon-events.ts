import type { CataloguedHookName, InternalEvent } from "@openclaw/plugin-sdk/hooks";

/** A handler of any hook. */
type AnyHandler = (event: never, context: never) => unknown;

/** Type and action of a colon event, and the hook that it follows; the host fires one without a hook. */
interface ColonEvent extends Pick<InternalEvent, "type" | "action"> {
  readonly hook?: CataloguedHookName;
}

/** Colon events of older plugins (LIFE-040). */
const EVENTS: readonly ColonEvent[] = [
  { type: "command", action: "new" },
  { type: "command", action: "reset" },
  { type: "command", action: "stop" },
  { type: "agent", action: "bootstrap" },
  { type: "gateway", action: "startup", hook: "gateway_start" },
  { type: "session", action: "start", hook: "session_start" },
  { type: "session", action: "end", hook: "session_end" },
  { type: "message", action: "received", hook: "message_received" },
  { type: "message", action: "sent", hook: "message_sent" },
  { type: "message", action: "edited" },
  { type: "message", action: "reaction" },
];

/** A handler of a colon event, adapted to the hook that the event follows. */
export interface AdaptedHandler {
  readonly hook: CataloguedHookName;
  readonly handler: AnyHandler;
}

/**
 * Returns true for the name of a colon event, or of all events of a type.
 * @param name - name from a plugin
 */
export function isColonEvent(name: string): boolean {
  return EVENTS.some(({ type, action }) => name === type || name === `${type}:${action}`);
}

/**
 * Adapts a handler to the hooks that its events follow; empty for events that the host fires.
 * @param name - name of an event, or of all events of a type
 * @param handler - called with one event
 */
export function adaptColonHandler(name: string, handler: AnyHandler): readonly AdaptedHandler[] {
  const called: (event: InternalEvent) => unknown = handler as (event: unknown) => unknown;
  return EVENTS.flatMap(({ type, action, hook }) => {
    if (hook === undefined || (name !== type && name !== `${type}:${action}`)) return [];
    const adapted = (event: object, context: object) => {
      const told = { ...context, ...event };
      const sessionKey = "sessionKey" in told ? String(told.sessionKey) : "";
      const about = { type, action, sessionKey, timestamp: new Date(), messages: [] };
      return called({ ...about, context: told });
    };
    return [{ hook, handler: adapted as AnyHandler }];
  });
}
