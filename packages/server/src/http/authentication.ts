import type { HttpBindings } from "@hono/node-server";
import { includesScope, type MethodCaller, type MethodScope } from "@openclaw/protocol";
import { MissingScopeError } from "@openclaw/protocol/registry";
import type { Context, MiddlewareHandler } from "hono";
import { type GatewayAccess, refuseTokenInUrl } from "../access/access.js";
import type { RateState } from "../access/call-rates.js";

/** Environment of the requests of a gateway. */
export interface HttpEnvironment {
  Bindings: HttpBindings;
}

/**
 * Routes that accept a ticket in their URL: the stream, where the browser cannot send a header, and the exchange of a
 * ticket for a session.
 */
const TICKET_PATHS: ReadonlySet<string> = new Set(["/api/v1/events", "/api/v1/auth/session"]);

/** Authenticates requests: each at most once, and only when a route needs it. */
export class RequestAuthentication {
  readonly #access: GatewayAccess;
  readonly #callers = new WeakMap<Request, Promise<MethodCaller>>();

  /** @param access - tokens, tickets and limits */
  constructor(access: GatewayAccess) {
    this.#access = access;
  }

  /**
   * Returns the caller of a request, and counts the request.
   * @param context - context of the request
   * @throws UnauthorizedError, RateLimitedError
   */
  callerOf(context: Context): Promise<MethodCaller> {
    const request = context.req.raw;
    const known = this.#callers.get(request);
    if (known !== undefined) return known;
    const caller = this.#authenticate(context);
    // The rejection is handled by whoever asked first; a later caller receives it too.
    caller.catch(() => undefined);
    this.#callers.set(request, caller);
    return caller;
  }

  /**
   * Checks that a request has a token with a scope.
   * @param context - context of the request
   * @param scope - scope of the route
   * @throws UnauthorizedError, RateLimitedError, MissingScopeError
   */
  async check(context: Context, scope: MethodScope): Promise<void> {
    const { id, scopes } = await this.callerOf(context);
    if (includesScope(scopes, scope)) return;
    throw new MissingScopeError(`${context.req.method} ${context.req.path}`, scope, id);
  }

  /**
   * Creates a middleware that requires a token with a scope.
   * @param scope - scope of the routes
   */
  require(scope: MethodScope): MiddlewareHandler {
    return async (context, next) => {
      await this.check(context, scope);
      return next();
    };
  }

  async #authenticate(context: Context<HttpEnvironment>): Promise<MethodCaller> {
    const { incoming, outgoing } = context.env;
    refuseTokenInUrl(incoming.url ?? "/");
    const ticket = context.req.query("ticket");
    const caller =
      ticket !== undefined && TICKET_PATHS.has(context.req.path)
        ? await this.#access.tickets.redeem(ticket)
        : await this.#access.authenticate(bearerTokenOf(context), {
            address: this.#access.proxies.clientOf(incoming),
            via: "http",
          });
    const state = this.#access.calls.countRequest(caller);
    if (state !== undefined) {
      for (const [name, value] of Object.entries(rateHeaders(state))) {
        outgoing.setHeader(name, value);
      }
    }
    return caller;
  }
}

function bearerTokenOf(context: Context): string | undefined {
  const header = context.req.header("authorization");
  // Clients of the Messages API have no other form for a key.
  if (header === undefined) return context.req.header("x-api-key")?.trim() || undefined;
  // A header of another form is a wrong token, not a missing one.
  return /^Bearer ([^\s]+)$/i.exec(header)?.[1] ?? (header.trim() === "" ? undefined : header);
}

/** Returns the headers of the IETF draft `RateLimit header fields for HTTP`. */
function rateHeaders({ limit, remaining, resetMs }: RateState): Record<string, string> {
  return {
    "RateLimit-Policy": `"requests";q=${limit};w=60`,
    RateLimit: `"requests";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  };
}
