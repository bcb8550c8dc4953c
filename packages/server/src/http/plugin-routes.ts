import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { PluginHttpRouteRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HttpFetchHandler, HttpNodeHandler } from "@openclaw/plugin-sdk/http";
import type { Context, MiddlewareHandler } from "hono";
import { errorBody, failWith, internalFailure, type OpenAiFailure } from "../openai/error.js";
import type { BodyLimits } from "./body-limit.js";
import { HOST_PATHS } from "./reserved-paths.js";

/** Time in milliseconds within which a plugin must start its response (GW-040). */
const HEADERS_DEADLINE_MS = 30_000;

type PluginContext = Context<{ Bindings: HttpBindings }>;

/** Dependencies of {@link pluginRoutes}. */
export interface PluginRouteHost {
  readonly plugins: Pick<PluginRuntime, "current" | "pin">;
  readonly logger: Logger;
  readonly limits: BodyLimits;
  /**
   * Checks that a request has a token of the gateway with the scope of plugin routes.
   * @param context - context of the request
   * @throws UnauthorizedError, RateLimitedError, MissingScopeError
   */
  authorise(context: Context): Promise<void>;
}

/**
 * Serves the routes of plugins, then their handlers in the order of registration. A request that none of them
 * handles continues to the host. A request in progress holds its plugin generation, so a reload does not
 * abort it (PLUG-034, GW-040).
 * @param host - plugins, logger and check of the token
 */
export function pluginRoutes(host: PluginRouteHost): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const { path } = context.req;
    const { httpRoutes, httpHandlers } = host.plugins.current;
    const isOurs = HOST_PATHS.some((own) => path === own || path.startsWith(`${own}/`));
    if (isOurs || httpRoutes.length + httpHandlers.length === 0) return next();

    const pin = host.plugins.pin();
    context.env.outgoing.once("close", () => pin.release());
    const route = findRoute(httpRoutes, path);
    if (route !== undefined) {
      if (route.auth === "gateway") await host.authorise(context);
      return answerRoute(route, context, host);
    }
    const tooLarge = host.limits.refuseAnnounced(context);
    for (const { handler, auth, pluginId } of httpHandlers) {
      if (auth === "gateway" && !(await isAuthorised(context, host))) continue;
      if (tooLarge !== undefined) return tooLarge;
      if (await answerInNode(handler, context, pluginId, host)) return RESPONSE_ALREADY_SENT;
    }
    return next();
  };
}

/** Returns false without a sufficient token; the host then rejects the request if no other handler takes it. */
async function isAuthorised(context: Context, host: PluginRouteHost): Promise<boolean> {
  return host.authorise(context).then(
    () => true,
    () => false,
  );
}

/** Finds a route: an exact path before a prefix, and the longest prefix before shorter ones. */
function findRoute(
  routes: readonly PluginHttpRouteRegistration[],
  path: string,
): PluginHttpRouteRegistration | undefined {
  let found: { route: PluginHttpRouteRegistration; length: number } | undefined;
  for (const route of routes) {
    for (const address of route.addresses) {
      if (path === address && route.match === "exact") return route;
      const isBelow = path === address || path.startsWith(`${address}/`);
      if (route.match === "prefix" && isBelow && address.length > (found?.length ?? -1)) {
        found = { route, length: address.length };
      }
    }
  }
  return found?.route;
}

async function answerRoute(
  { answer, methods, pluginId }: PluginHttpRouteRegistration,
  context: PluginContext,
  host: PluginRouteHost,
): Promise<Response> {
  const { method, path } = context.req;
  if (methods.length > 0 && !methods.includes(method)) {
    context.header("Allow", methods.join(", "));
    return failWith(context, {
      status: 405,
      type: "invalid_request_error",
      code: "method_not_allowed",
      message: `${path} allows ${methods.join(", ")}, not ${method}`,
    });
  }
  if (answer.style === "node") {
    const tooLarge = host.limits.refuseAnnounced(context);
    if (tooLarge !== undefined) return tooLarge;
    const answered = await answerInNode(answer.handler, context, pluginId, host);
    return answered ? RESPONSE_ALREADY_SENT : context.notFound();
  }
  let response: Response | undefined;
  const refusal = await host.limits.whole(context, async () => {
    response = await answerInFetch(answer.handler, context, pluginId, host);
  });
  return response ?? refusal ?? context.notFound();
}

async function answerInFetch(
  handler: HttpFetchHandler,
  context: PluginContext,
  pluginId: string,
  host: PluginRouteHost,
): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<OpenAiFailure>((resolve) => {
    timer = setTimeout(() => resolve(tooLate(pluginId)), HEADERS_DEADLINE_MS);
  });
  const answering = async () => {
    const response: unknown = await handler(context.req.raw);
    if (response instanceof Response) return response;
    throw new TypeError("a route of the Fetch style must return a Response");
  };
  const answered = answering().catch((error) => faultOf(error, pluginId, host));
  const outcome = await Promise.race([answered, late]);
  clearTimeout(timer);
  return outcome instanceof Response ? outcome : failWith(context, outcome);
}

/** @returns false when the handler declines the request */
async function answerInNode(
  handler: HttpNodeHandler,
  { env: { incoming, outgoing } }: PluginContext,
  pluginId: string,
  host: PluginRouteHost,
): Promise<boolean> {
  const fail = (failure: OpenAiFailure) => {
    if (outgoing.headersSent) return outgoing.destroy();
    outgoing.writeHead(failure.status, { "content-type": "application/json" });
    return outgoing.end(JSON.stringify(errorBody(failure)));
  };
  const timer = setTimeout(() => {
    if (!outgoing.headersSent) fail(tooLate(pluginId));
  }, HEADERS_DEADLINE_MS);
  outgoing.once("close", () => clearTimeout(timer));
  try {
    // The response may still be in progress when the handler returns; only false declines the request.
    if ((await handler(incoming, outgoing)) !== false) return true;
    clearTimeout(timer);
    return false;
  } catch (error) {
    fail(faultOf(error, pluginId, host));
    return true;
  }
}

function tooLate(pluginId: string): OpenAiFailure {
  return {
    status: 504,
    type: "server_error",
    code: "plugin_timeout",
    message: `plugin "${pluginId}" did not start its response within ${HEADERS_DEADLINE_MS} ms`,
  };
}

function faultOf(error: unknown, pluginId: string, { logger }: PluginRouteHost): OpenAiFailure {
  return internalFailure(error, {
    ...logger,
    error: (message, fields) => logger.error(message, { ...fields, pluginId }),
  });
}
