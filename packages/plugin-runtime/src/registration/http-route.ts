import { pathBelowMount } from "@openclaw/plugin-discovery";
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

/** Style of a request handler: that of Node or that of the Fetch standard. */
export type HttpAnswer =
  | { readonly style: "node"; readonly handler: HttpNodeHandler }
  | { readonly style: "fetch"; readonly handler: HttpFetchHandler };

/** An HTTP path of the gateway that a plugin handles. */
export interface PluginHttpRouteRegistration extends RegistrationOrigin {
  /** Path relative to the plugin's mount, `/plugins/<plugin id>`. */
  readonly path: string;
  /** The path as the plugin gave it, which older plugins begin with the mount. */
  readonly given: string;
  /** Paths at which it is served; the first one is below `/plugins/<plugin id>`. */
  readonly addresses: readonly string[];
  readonly match: HttpRouteMatch;
  readonly auth: HttpRouteAuth;
  /** In upper case; empty for every method. */
  readonly methods: readonly string[];
  /** Channel of the plugin that receives the requests. */
  readonly channel?: string | undefined;
  readonly answer: HttpAnswer;
  /**
   * Adds a diagnostic about a request that failed, once per problem.
   * @param problem - end of the sentence "the route …"
   */
  reportFailure(problem: string): void;
}

/** Settings of the host for the routes and handlers of a plugin. */
export interface RoutePlace {
  /** Channels that the plugin declares. */
  readonly channels: readonly string[];
  /** Authentication of a route that does not set it. */
  readonly defaultAuth: HttpRouteAuth;
  /**
   * Adds a diagnostic about a failed request.
   * @param route - path of the route, or `/*`
   * @param problem - end of the sentence "the route …"
   */
  reportFailure(route: string, problem: string): void;
}

/** A handler for requests that no route handles. */
export interface PluginHttpHandlerRegistration extends RegistrationOrigin {
  readonly handler: HttpNodeHandler;
  readonly auth: HttpRouteAuth;
  /** As of a route. */
  reportFailure(problem: string): void;
}

const STEP = "(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+";
/** Dot segments, empty segments and escapes would name another path than the one shown. */
const PATH = new RegExp(`^/(?:${STEP}(?:/${STEP})*/?)?$`);

/**
 * Checks the argument of `api.registerHttpRoute` (PLUG-034).
 * @param route - path and handler
 * @param place - settings of the host
 * @throws PluginRegistrationError naming the field
 */
export function readHttpRoute(
  origin: RegistrationOrigin,
  route: HttpRoute,
  { defaultAuth, reportFailure, channels }: RoutePlace,
): PluginHttpRouteRegistration {
  const call = { origin, member: "registerHttpRoute" };
  expectObject(call, "route", route);
  const given = readPath(call, route.path);
  const path = pathBelowMount(origin.pluginId, given);
  const methods = expectTexts(call, `methods of route "${path}"`, route.methods);
  const channel =
    route.channel === undefined ? undefined : expectOneOf(call, "channel", route.channel, channels);
  return {
    ...origin,
    ...{ path, given, channel },
    addresses: addressesOf({ pluginId: origin.pluginId, given, channel }, channels),
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
    reportFailure: (problem) => reportFailure(path, problem),
  };
}

/**
 * Checks the argument of `api.registerHttpHandler` (PLUG-034).
 * @param handler - returns false to pass a request on
 * @param place - settings of the host
 * @throws PluginRegistrationError
 */
export function readHttpHandler(
  origin: RegistrationOrigin,
  handler: HttpNodeHandler,
  { defaultAuth: auth, reportFailure }: Omit<RoutePlace, "channels">,
): PluginHttpHandlerRegistration {
  expectFunction({ origin, member: "registerHttpHandler" }, "handler", handler);
  return { ...origin, handler, auth, reportFailure: (problem) => reportFailure("/*", problem) };
}

/**
 * Returns the owner of a path that a plugin may not use: the host or another plugin (GW-039).
 * @param route - the checked route
 * @param reserved - first path segments reserved for the host
 * @param own - channels that the plugin declares
 * @returns the owner; undefined when the path is free
 */
export function ownerOfPath(
  route: PluginHttpRouteRegistration,
  reserved: readonly string[],
  own: readonly string[],
): string | undefined {
  const { given } = route;
  if (isOwn(route, own)) return undefined;
  if (reserved.some((prefix) => given === prefix || given.startsWith(`${prefix}/`)))
    return "the host";
  return /^\/plugins?\/.+$/.test(given) ? "another plugin" : undefined;
}

/** Prefixes below which a plugin writes its own paths: its id, and the channels that it declares. */
function ownPrefixes(pluginId: string, channels: readonly string[]): string[] {
  return [pluginId, ...channels].flatMap((name) => [`/plugins/${name}`, `/plugin/${name}`]);
}

/** Paths of the gateway that belong to a channel; those of the channel `http` have no name of a channel (CHAN-022). */
function channelPaths(channel: string): readonly string[] {
  const own = [`/webhook/${channel}`, `/channels/${channel}/webhook`];
  return channel === "http" ? [...own, "/webhook", "/health"] : own;
}

/** Paths of the gateway that belong to one plugin (WASM-034). */
const PATHS_OF_PLUGINS: Readonly<Record<string, readonly string[]>> = {
  wasm: ["/wasm-channels/health"],
};

type RoutePath = Pick<PluginHttpRouteRegistration, "given" | "pluginId" | "channel">;

function isOwn({ given: path, pluginId, channel }: RoutePath, channels: readonly string[]) {
  const isBelow = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  const webhooks = channel === undefined ? [] : [`/channels/${channel}/webhook`];
  return (
    ownPrefixes(pluginId, channels).some(isBelow) ||
    channels.some((each) => channelPaths(each).includes(path)) ||
    webhooks.some(isBelow) ||
    (channel !== undefined && path.startsWith("/webhook/")) ||
    (Object.hasOwn(PATHS_OF_PLUGINS, pluginId) &&
      PATHS_OF_PLUGINS[pluginId]?.includes(path) === true)
  );
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

/**
 * Older plugins write their own prefix themselves; those paths are served unchanged as well
 * (GW-039), and so are the paths of the webhooks of the plugin's channels (GW-041).
 */
function addressesOf(route: RoutePath, channels: readonly string[]): string[] {
  const { pluginId, given } = route;
  const own = `/plugins/${pluginId}`;
  const path = pathBelowMount(pluginId, given);
  const below = path === "/" ? own : `${own}${path}`;
  return isOwn(route, channels) ? [...new Set([below, given])] : [below];
}

function readAnswer(call: ApiCall, path: string, route: HttpRoute): HttpAnswer {
  if (route.fetch !== undefined) {
    expectFunction(call, `fetch of route "${path}"`, route.fetch);
    return { style: "fetch", handler: route.fetch };
  }
  expectFunction(call, `handler of route "${path}"`, route.handler);
  return { style: "node", handler: route.handler };
}
