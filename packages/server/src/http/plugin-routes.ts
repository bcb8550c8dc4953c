import type { HttpBindings } from "@hono/node-server";
import type { PluginHttpRouteRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Context, MiddlewareHandler } from "hono";
import { failWith } from "../openai/error.js";
import { serveWithFetch } from "../plugins/fetch-handler.js";
import type { PluginContext } from "../plugins/handler-host.js";
import { serveInNode } from "../plugins/node-handler.js";
import { panelResponse } from "../plugins/panel.js";
import { writtenByPlugin } from "../plugins/route-fault.js";
import type { BodyLimits } from "./body-limit.js";
import { HOST_PATHS } from "./reserved-paths.js";

/** Dependencies of {@link pluginRoutes}. */
export interface PluginRouteHost {
  readonly plugins: Pick<PluginRuntime, "current" | "pin" | "callPlugin">;
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
    const { httpRoutes, httpHandlers, panels } = host.plugins.current;
    const panel = panelResponse(panels, context);
    if (panel !== undefined) return panel;
    const route = findRoute(httpRoutes, path);
    // A path of the host has a route only if it is that of a channel's webhook.
    const isOurs = HOST_PATHS.some((own) => path === own || path.startsWith(`${own}/`));
    if (route === undefined && (isOurs || httpHandlers.length === 0)) return next();

    const pin = host.plugins.pin();
    context.env.outgoing.once("close", () => pin.release());
    if (route !== undefined) {
      if (route.auth === "gateway") await host.authorise(context);
      return answerRoute(route, context, host);
    }
    const tooLarge = host.limits.refuseAnnounced(context);
    for (const registration of httpHandlers) {
      const { handler, auth } = registration;
      if (auth === "gateway" && !(await isAuthorised(context, host))) continue;
      if (tooLarge !== undefined) return tooLarge;
      if (await serveInNode(handler, context, registration, host)) return writtenByPlugin();
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
  route: PluginHttpRouteRegistration,
  context: PluginContext,
  host: PluginRouteHost,
): Promise<Response> {
  const { answer } = route;
  const rejected = rejectedMethod(route, context);
  if (rejected !== undefined) return rejected;
  if (answer.style === "node") {
    const tooLarge = host.limits.refuseAnnounced(context);
    if (tooLarge !== undefined) return tooLarge;
    const answered = await serveInNode(answer.handler, context, route, host);
    return answered ? writtenByPlugin() : context.notFound();
  }
  let response: Response | undefined;
  const refusal = await host.limits.whole(context, async () => {
    response = await serveWithFetch(answer.handler, context, route, host);
  });
  return response ?? refusal ?? context.notFound();
}

/** Returns the response to a method that a route does not have. A route with `GET` has `HEAD`, as in HTTP. */
function rejectedMethod(
  { methods }: PluginHttpRouteRegistration,
  context: PluginContext,
): Response | undefined {
  const { method, path } = context.req;
  const served = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  if (served.length === 0 || served.includes(method)) return undefined;
  const allowed = [...new Set(served)].join(", ");
  context.header("Allow", allowed);
  if (method === "OPTIONS") return context.body(null, 204);
  return failWith(context, {
    status: 405,
    type: "invalid_request_error",
    code: "method_not_allowed",
    message: `${path} allows ${allowed}, not ${method}`,
  });
}
