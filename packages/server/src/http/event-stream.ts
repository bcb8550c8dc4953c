import { httpStatusOf, type OpenClawError } from "@openclaw/foundation";
import {
  gatewayEvents,
  includesScope,
  type MethodCaller,
  type WireErrorBody,
} from "@openclaw/protocol";
import { InvalidRequestError, MissingScopeError, wireErrorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import type { EventStreams } from "../events/event-streams.js";
import { requestHeader } from "./request-header.js";

/** Dependencies of {@link eventStreamRoute}. */
export interface EventStreamHost {
  readonly streams: EventStreams;
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}

/**
 * Creates the route `GET /api/v1/events?session=&types=` (GW-034): the events of the WebSocket as server-sent events.
 * @param host - streams, and keys of sessions
 * @param callerOf - returns the authenticated caller of a request
 */
export function eventStreamRoute(
  { streams, fullKey }: EventStreamHost,
  callerOf: (context: Context) => MethodCaller | Promise<MethodCaller>,
) {
  return async (context: Context): Promise<Response> => {
    const caller = await callerOf(context);
    if (!includesScope(caller.scopes, "operator.read")) {
      return failed(context, new MissingScopeError("events", "operator.read", caller.id));
    }
    const types = listOf(context.req.queries("types"));
    const unknown = types.find((type) => !isEventName(type));
    if (unknown !== undefined) {
      const message = `has no event "${unknown}"; the reply to connect over /ws lists the events`;
      return failed(context, new InvalidRequestError("events", [{ path: "/types", message }]));
    }
    const body = streams.open({
      caller,
      sessions: listOf(context.req.queries("session")).map((key) => fullKey(key)),
      types,
      cursor: requestHeader(context, "last-event-id") || undefined,
    });
    return context.body(body, 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "X-Accel-Buffering": "no",
    });
  };
}

/** Events of plugins have names that follow from the ID of the plugin. */
function isEventName(type: string): boolean {
  return Object.hasOwn(gatewayEvents, type) || type.startsWith("plugin.");
}

function failed(context: Context, error: OpenClawError): Response {
  const body: WireErrorBody = { error: wireErrorOf(error) };
  return context.json(body, httpStatusOf(error));
}

/** Returns the values of a parameter that is given several times, or once with commas. */
function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(",")).filter((value) => value !== "");
}
