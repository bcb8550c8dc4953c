import type { HttpRoute } from "@openclaw/plugin-sdk";
import type {
  HttpFetchHandler,
  HttpNodeHandler,
  HttpRouteAuth,
  HttpRouteMatch,
} from "@openclaw/plugin-sdk/http";
import {
  type ApiCall,
  expectFunction,
  expectObject,
  expectOneOf,
  expectText,
  expectTexts,
  wrongArgument,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** How a request is answered: in Node's style, or in that of the Fetch standard. */
export type HttpAnswer =
  | { readonly style: "node"; readonly handler: HttpNodeHandler }
  | { readonly style: "fetch"; readonly handler: HttpFetchHandler };

/** An address of the gateway that a plugin answers. */
export interface PluginHttpRouteRegistration extends RegistrationOrigin {
  /** As the plugin gave it. */
  readonly path: string;
  /** Where it is served; the first one is below `/plugins/<plugin id>`. */
  readonly addresses: readonly string[];
  readonly match: HttpRouteMatch;
  readonly auth: HttpRouteAuth;
  /** In upper case; every method when empty. */
  readonly methods: readonly string[];
  readonly answer: HttpAnswer;
}

/** A handler that is asked for requests that no route answers. */
export interface PluginHttpHandlerRegistration extends RegistrationOrigin {
  readonly handler: HttpNodeHandler;
  readonly auth: HttpRouteAuth;
}

const STEP = "(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+";
/** Dots alone, empty steps and escapes would name another address than the path seems to. */
const PATH = new RegExp(`^/(?:${STEP}(?:/${STEP})*/?)?$`);

/**
 * Checks the argument of `api.registerHttpRoute` (PLUG-034).
 * @param origin - the plugin
 * @param route - path and handler
 * @param defaultAuth - who checks requests where the route does not say
 * @throws PluginRegistrationError naming the field
 */
export function readHttpRoute(
  origin: RegistrationOrigin,
  route: HttpRoute,
  defaultAuth: HttpRouteAuth,
): PluginHttpRouteRegistration {
  const call = { origin, member: "registerHttpRoute" };
  expectObject(call, "route", route);
  const path = readPath(call, route.path);
  const methods = expectTexts(call, `methods of route "${path}"`, route.methods);
  return {
    ...origin,
    path,
    addresses: addressesOf(origin.pluginId, path),
    match: expectOneOf(call, `match of route "${path}"`, route.match ?? "exact", [
      "exact",
      "prefix",
    ]),
    auth: expectOneOf(call, `auth of route "${path}"`, route.auth ?? defaultAuth, [
      "gateway",
      "plugin",
    ]),
    methods: methods.map((method) => method.toUpperCase()),
    answer: readAnswer(call, path, route),
  };
}

/**
 * Checks the argument of `api.registerHttpHandler` (PLUG-034).
 * @param origin - the plugin
 * @param handler - false passes a request on
 * @param auth - who checks requests
 * @throws PluginRegistrationError
 */
export function readHttpHandler(
  origin: RegistrationOrigin,
  handler: HttpNodeHandler,
  auth: HttpRouteAuth,
): PluginHttpHandlerRegistration {
  expectFunction({ origin, member: "registerHttpHandler" }, "handler", handler);
  return { ...origin, handler, auth };
}

/**
 * Why a plugin may not have a path: it belongs to the host or to another plugin (GW-039).
 * @param route - as it was read
 * @param reserved - first parts of the host's own addresses
 * @returns who has it; undefined where it is free
 */
export function ownerOfPath(
  { path, pluginId }: PluginHttpRouteRegistration,
  reserved: readonly string[],
): string | undefined {
  if (reserved.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
    return "the host";
  const [, place] = /^\/plugins?\/(.+)$/.exec(path) ?? [];
  if (place === undefined || place === pluginId || place.startsWith(`${pluginId}/`))
    return undefined;
  return "another plugin";
}

function readPath(call: ApiCall, value: unknown): string {
  const path = expectText(call, "path", value);
  if (PATH.test(path)) return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  throw wrongArgument(
    call,
    "path",
    `expected a slash, and steps of letters, digits and . _ ~ - without escapes or a query, got ${JSON.stringify(path)}`,
  );
}

/** Older plugins write their own prefix themselves; those paths are served as they are, too (GW-039). */
function addressesOf(pluginId: string, path: string): string[] {
  const own = `/plugins/${pluginId}`;
  const below = path === "/" ? own : `${own}${path}`;
  const asWritten = [own, `/plugin/${pluginId}`].some((prefix) => path.startsWith(`${prefix}/`));
  return asWritten ? [below, path] : [below];
}

function readAnswer(call: ApiCall, path: string, route: HttpRoute): HttpAnswer {
  if (route.fetch !== undefined) {
    expectFunction(call, `fetch of route "${path}"`, route.fetch);
    return { style: "fetch", handler: route.fetch };
  }
  expectFunction(call, `handler of route "${path}"`, route.handler);
  return { style: "node", handler: route.handler };
}
