import type { IncomingMessage, ServerResponse } from "node:http";

/** Who checks that a request may come in: the gateway by its token, or the plugin itself. */
export type HttpRouteAuth = "gateway" | "plugin";

/** Whether a route answers its own path alone, or every path below it too. */
export type HttpRouteMatch = "exact" | "prefix";

/**
 * Answers a request in Node's own style. False says that it was not for this handler; anything else
 * that the response is, or will be, written.
 */
export type HttpNodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | void | Promise<boolean | void>;

/** Answers a request in the style of the Fetch standard. */
export type HttpFetchHandler = (request: Request) => Response | Promise<Response>;

interface HttpRoutePlace {
  /** Begins with a slash; served below `/plugins/<plugin id>`. */
  path: string;
  /** Without it the gateway's token is asked for. */
  auth?: HttpRouteAuth;
  /** Default `exact`. */
  match?: HttpRouteMatch;
  /** In upper case; every method when absent. */
  methods?: readonly string[];
}

/** An address of the gateway that a plugin answers (PLUG-034); either style of handler will do. */
export type HttpRoute = HttpRoutePlace &
  (
    | { handler: HttpNodeHandler; fetch?: undefined }
    | { fetch: HttpFetchHandler; handler?: undefined }
  );
