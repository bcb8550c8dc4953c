import { Server, type ServerResponse } from "node:http";
import { type ServerType, serve } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { httpStatusOf } from "@openclaw/foundation";
import { MessageRefusedError } from "@openclaw/messaging";
import { METHOD_SCOPES, type MethodCaller } from "@openclaw/protocol";
import { type Context, Hono, type Next } from "hono";
import type { MethodCalls } from "../calls/method-calls.js";
import { PortTakenError } from "../errors.js";
import { chatCompletionRoute } from "../openai/chat/route.js";
import { failWith, type OpenAiFailure, requestFailure } from "../openai/error.js";
import type { OpenAiHost } from "../openai/host.js";
import { modelRoute, modelsRoute } from "../openai/models.js";
import {
  deletedResponseRoute,
  responseRoute,
  storedResponseRoute,
} from "../openai/responses/route.js";
import { openApiRoute } from "../openapi/route.js";
import { isSocketRequest, type SocketServer } from "../websocket/socket-server.js";
import { apiMethodRoute } from "./api-methods.js";
import { limitBody } from "./body-limit.js";
import { type EventStreamHost, eventStreamRoute } from "./event-stream.js";
import { type PluginRouteHost, pluginRoutes } from "./plugin-routes.js";
import { tokenMatches } from "./token-comparison.js";

/** Holder of the gateway's own token. */
const GATEWAY_CALLER: MethodCaller = { id: "gateway", scopes: METHOD_SCOPES, via: "http" };

/** Check that readiness depends on. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string | undefined;
  /** False for a check that informs the operator and does not make the gateway unready. */
  readonly isRequired?: boolean | undefined;
}

/** Dependencies of the HTTP server. */
export interface HttpHost extends OpenAiHost {
  readonly token: string;
  /** Version of the gateway; `0.0.0` when absent. */
  readonly version?: string | undefined;
  /** Returns the model in use, and a notice to the operator about a change of it. */
  model(): { readonly ref: string; readonly notice?: string };
  ready(): Promise<readonly ReadinessCheck[]>;
  /** Executes calls of methods; none are served when absent. */
  readonly calls?: Pick<MethodCalls, "execute" | "definition" | "definitions"> | undefined;
  /** Streams of events, and keys of sessions; none are served when absent. */
  readonly events?: EventStreamHost | undefined;
  /** Plugins whose routes are served in addition to the host's; none when absent. */
  readonly plugins?: PluginRouteHost["plugins"] | undefined;
}

/** Listening server. */
export interface HttpServer {
  /** Port that it listens on. */
  readonly port: number;
  /** Stops listening, waits for open requests, then aborts those that remain after the time. */
  close(graceMs: number): Promise<void>;
}

/**
 * Creates the routes of the host: health without a token, everything else with the bearer token.
 * @param host - dependencies of the routes
 */
export function createHttpApp(host: HttpHost): Hono {
  const app = new Hono();
  app.use(secureHeaders, localHostOnly);

  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", async (context) => {
    const checks = await host.ready();
    const ready = checks.every(({ ok, isRequired }) => ok || isRequired === false);
    const details = isAuthorised(context, host.token) ? { checks, model: host.model() } : {};
    return context.json({ status: ready ? "ready" : "not ready", ...details }, ready ? 200 : 503);
  });

  if (host.plugins !== undefined) {
    const { plugins, logger, token } = host;
    const authorised = (context: Context) => isAuthorised(context, token);
    app.use(pluginRoutes({ plugins, logger, isAuthorised: authorised }));
  }

  app.use(async (context, next) => {
    if (isAuthorised(context, host.token)) return next();
    context.header("WWW-Authenticate", "Bearer");
    return failWith(context, {
      status: 401,
      type: "authentication_error",
      code: "invalid_token",
      message:
        "send the gateway's token as `Authorization: Bearer <token>`; it is stored in gateway.token of the state folder",
    });
  });
  app.use(limitBody);
  app.post("/v1/chat/completions", chatCompletionRoute(host));
  if (host.calls !== undefined) {
    app.all(
      "/api/v1/:family/:method",
      apiMethodRoute(host.calls, () => GATEWAY_CALLER),
    );
    app.get("/openapi.json", openApiRoute(host.calls, host.version));
  }
  app.post("/v1/responses", responseRoute(host));
  app.get("/v1/responses/:id", storedResponseRoute(host));
  app.delete("/v1/responses/:id", deletedResponseRoute(host));
  app.get("/v1/models", modelsRoute(host));
  app.get("/v1/models/:id{.+}", modelRoute(host));
  if (host.events !== undefined) {
    app.get(
      "/api/v1/events",
      eventStreamRoute(host.events, () => GATEWAY_CALLER),
    );
  }
  app.notFound((context) =>
    failWith(context, {
      status: 404,
      type: "not_found_error",
      code: "unknown_route",
      message: `route ${context.req.method} ${context.req.path} not found`,
    }),
  );
  app.onError((error, context) => failWith(context, failureOf(error, context, host)));
  return app;
}

function failureOf(error: Error, context: Context, { logger }: HttpHost): OpenAiFailure {
  if (MessageRefusedError.isInstance(error)) {
    const { message, reason } = error;
    const status = httpStatusOf(error);
    return reason === "stopping"
      ? { status, type: "server_error", code: "stopping", message }
      : { status, type: "invalid_request_error", code: "empty_message", message };
  }
  if (context.req.raw.signal.aborted) {
    const message = "the connection was closed before the request was complete";
    return { status: 400, type: "invalid_request_error", code: "request_aborted", message };
  }
  return requestFailure(error, logger);
}

/**
 * Listens on the loopback interface.
 * @param app - routes to serve
 * @param port - port; 0 lets the system choose
 * @param sockets - serves WebSocket connections; none are served when absent
 * @throws PortTakenError when another program listens there
 */
export async function listen(
  app: Hono,
  port: number,
  sockets?: Pick<SocketServer, "attach">,
): Promise<HttpServer> {
  const hostname = "127.0.0.1";
  const server = await new Promise<ServerType>((resolve, reject) => {
    const serverOptions = { shouldUpgradeCallback: isSocketRequest };
    const options = { fetch: app.fetch, hostname, port, serverOptions };
    const starting = serve(options, () => resolve(starting));
    if (starting instanceof Server) sockets?.attach(starting);
    starting.once("error", (cause: NodeJS.ErrnoException) =>
      reject(cause.code === "EADDRINUSE" ? new PortTakenError(hostname, port, cause) : cause),
    );
  });
  server.on("request", (_request, response: ServerResponse) => {
    response.once("close", () => {
      if (!server.listening) closeIdle(server);
    });
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: (graceMs) => closeServer(server, graceMs),
  };
}

function closeServer(server: ServerType, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      if ("closeAllConnections" in server) server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    closeIdle(server);
  });
}

/** Closes idle connections, which clients keep open for further requests. */
function closeIdle(server: ServerType): void {
  if ("closeIdleConnections" in server) server.closeIdleConnections();
}

function isAuthorised(context: Context, token: string): boolean {
  const header = context.req.header("authorization") ?? "";
  const [, presented] = /^Bearer ([^\s]+)$/i.exec(header) ?? [];
  return presented !== undefined && tokenMatches(presented, token);
}

const SECURE_HEADERS = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
] as const;

async function secureHeaders(context: Context, next: Next): Promise<void> {
  await next();
  if (context.res === RESPONSE_ALREADY_SENT) return;
  for (const [name, value] of SECURE_HEADERS) {
    try {
      // The framework's own way makes a copy of the response, with its body as a stream.
      context.res.headers.set(name, value);
    } catch {
      // The headers of a response that a plugin fetched cannot be changed.
      context.header(name, value);
    }
  }
}

/**
 * Rejects other host names, because a page that rebinds its name to loopback still sends its own name as host
 * (GW-015).
 */
async function localHostOnly(context: Context, next: Next): Promise<Response | undefined> {
  const host = (context.req.header("host") ?? "").toLowerCase().replace(/:\d+$/, "");
  if (["127.0.0.1", "localhost", "[::1]"].includes(host)) {
    await next();
    return undefined;
  }
  return failWith(context, {
    status: 403,
    type: "invalid_request_error",
    code: "host_refused",
    message: `this gateway accepts only loopback host names, not ${host}`,
  });
}
