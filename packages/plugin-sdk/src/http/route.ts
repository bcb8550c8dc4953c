import type { IncomingMessage, ServerResponse } from "node:http";

/** Authentication of a route: by the gateway's token, or by the plugin. */
export type HttpRouteAuth = "gateway" | "plugin";

/** Path matching of a route: only its path, or also all paths below it. */
export type HttpRouteMatch = "exact" | "prefix";

/**
 * Handles a request in the style of `node:http`. False means that the handler did not handle the request; any other
 * value means that it wrote or will write the response.
 */
export type HttpNodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | void | Promise<boolean | void>;

/** Handles a request in the style of the Fetch standard. */
export type HttpFetchHandler = (request: Request) => Response | Promise<Response>;

interface HttpRoutePlace {
  /** Path that begins with a slash; served below `/plugins/<plugin id>`. */
  path: string;
  /** Authentication; by the gateway's token when absent. */
  auth?: HttpRouteAuth;
  /** Path matching; default `exact`. */
  match?: HttpRouteMatch;
  /** HTTP methods in upper case; all methods when absent. `GET` includes `HEAD`. */
  methods?: readonly string[];
  /**
   * Channel of the plugin that receives the requests. The path may then also be any path below `/webhook` that no other
   * plugin has, or below `/channels/<channel>/webhook`.
   */
  channel?: string;
  /** True replaces the plugin's own route with the same path; otherwise a path is registered once. */
  replaceExisting?: boolean;
}

/** HTTP route of a plugin, with either style of handler (PLUG-034). */
export type HttpRoute = HttpRoutePlace &
  (
    | { handler: HttpNodeHandler; fetch?: undefined }
    | { fetch: HttpFetchHandler; handler?: undefined }
  );
