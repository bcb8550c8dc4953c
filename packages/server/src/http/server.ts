import { httpStatusOf, OpenClawError } from "@openclaw/foundation";
import { MessageRefusedError } from "@openclaw/messaging";
import { includesScope } from "@openclaw/protocol";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { GatewayAccess } from "../access/access.js";
import { failWithAnthropic, isAnthropicRequest } from "../anthropic/error.js";
import { messageModelRoute, messageModelsRoute } from "../anthropic/models.js";
import { countTokensRoute, messagesRoute } from "../anthropic/route.js";
import type { MethodCalls } from "../calls/method-calls.js";
import { consoleRoutes, type ServedConsole } from "../console/routes.js";
import type { McpHost, mcpRoute } from "../mcp/route.js";
import { chatCompletionRoute } from "../openai/chat/route.js";
import { embeddingsRoute } from "../openai/embeddings/route.js";
import { failWith, type OpenAiFailure, requestFailure } from "../openai/error.js";
import type { OpenAiHost } from "../openai/host.js";
import { modelRoute, modelsRoute } from "../openai/models.js";
import {
  deletedResponseRoute,
  responseRoute,
  storedResponseRoute,
} from "../openai/responses/route.js";
import { openApiRoute } from "../openapi/route.js";
import { missingChannelWebhooks, routineWebhookRoutes, webhookRoutes } from "../webhooks/routes.js";
import type { RoutineRequests } from "../webhooks/routine-requests.js";
import type { Webhooks } from "../webhooks/webhooks.js";
import { apiMethodRoute } from "./api-methods.js";
import { type HttpEnvironment, RequestAuthentication } from "./authentication.js";
import { bodyLimits, uploadLimit } from "./body-limit.js";
import { browserGuard } from "./browser-guard.js";
import { errorResponse } from "./error-response.js";
import { type EventStreamHost, eventStreamRoute } from "./event-stream.js";
import { requestIdOf } from "./gateway-response.js";
import { type MetricsHost, metricsRoute } from "./metrics-route.js";
import { type LoginHost, oauthCallback } from "./oauth-callback.js";
import { type PluginRouteHost, pluginRoutes } from "./plugin-routes.js";
import { welcomePage } from "./welcome-page.js";

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
  /** Decides who may use the gateway. */
  readonly access: GatewayAccess;
  /** Version of the gateway; `0.0.0` when absent. */
  readonly version?: string | undefined;
  /** Returns the model in use, and a notice to the operator about a change of it. */
  model(): { readonly ref: string; readonly notice?: string };
  ready(): Promise<readonly ReadinessCheck[]>;
  /** Executes calls of methods; none are served when absent. */
  readonly calls?:
    | Pick<MethodCalls, "execute" | "names" | "definition" | "definitions">
    | undefined;
  /** Requests of other services that become messages; none are served when absent. */
  readonly webhooks?: Webhooks | undefined;
  /** Requests that set off routines; none are served when absent. */
  readonly routineWebhooks?: RoutineRequests | undefined;
  /** Streams of events, and keys of sessions; none are served when absent. */
  readonly events?: EventStreamHost | undefined;
  /** Metrics; none are served when absent. */
  readonly metrics?: MetricsHost | undefined;
  /** Events and approvers for MCP clients; `/mcp` is not served when absent. */
  readonly mcp?: Omit<McpHost, "calls" | "version" | "logger"> | undefined;
  /** Logins at other services; `/oauth/callback` is not served when absent. */
  readonly logins?: LoginHost | undefined;
  /** Web console; the page at `/` explains the gateway when absent. */
  readonly console?: ServedConsole | undefined;
  /** Sentence that the page at `/` shows when there is no console. */
  readonly consoleNotice?: string | undefined;
  /** Plugins whose routes are served in addition to the host's; none when absent. */
  readonly plugins?: PluginRouteHost["plugins"] | undefined;
}

/**
 * Creates the routes of the host: health and the page for browsers without a token, everything else with one.
 * @param host - dependencies of the routes
 */
export function createHttpApp(host: HttpHost): Hono<HttpEnvironment> {
  const { access } = host;
  const authentication = new RequestAuthentication(access);
  const app = new Hono<HttpEnvironment>();
  app.use(browserGuard(access));

  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", async (context) => {
    const checks = await host.ready();
    const ready = checks.every(({ ok, isRequired }) => ok || isRequired === false);
    const scopes = await authentication.callerOf(context).then(
      (caller) => caller.scopes,
      () => [],
    );
    const details = includesScope(scopes, "operator.read") ? { checks, model: host.model() } : {};
    return context.json({ status: ready ? "ready" : "not ready", ...details }, ready ? 200 : 503);
  });
  // Clients send HEAD, which Hono routes as GET, to find out whether a gateway is there.
  app.get("/", (context, next) =>
    context.req.method === "HEAD" ? Promise.resolve(context.body(null, 200)) : next(),
  );
  const console = host.console === undefined ? undefined : consoleRoutes(host.console);
  if (console !== undefined) app.route("/", console);
  else app.get("/", welcomePage(host.console === undefined ? host.consoleNotice : NOT_BUILT));
  if (host.logins !== undefined)
    app.get("/oauth/callback", oauthCallback(host.logins, host.logger));
  if (host.metrics !== undefined) {
    const route = metricsRoute(host.metrics);
    if (host.metrics.isPublic) app.get("/metrics", route);
    else app.get("/metrics", authentication.require("operator.read"), route);
  }

  if (host.routineWebhooks !== undefined) {
    app.route("/", routineWebhookRoutes(host.routineWebhooks, host.logger));
  }
  if (host.webhooks !== undefined) app.route("/", webhookRoutes(host.webhooks, host.logger));

  const limits = bodyLimits(access.limits);
  if (host.plugins !== undefined) {
    const { plugins, logger } = host;
    const authorise = (context: Context) => authentication.check(context, "operator.write");
    app.use(pluginRoutes({ plugins, logger, limits, authorise }));
  }
  app.route("/", missingChannelWebhooks());

  app.use(async (context, next) => {
    await authentication.callerOf(context);
    return next();
  });
  app.use(uploadLimit(access.limits, limits), limits.depth);
  const read = authentication.require("operator.read");
  if (host.events !== undefined) {
    const events = eventStreamRoute(host.events, (context) => authentication.callerOf(context));
    app.get("/api/v1/events", read, events);
  }
  if (host.calls !== undefined) {
    const callMethod = apiMethodRoute(host.calls, authentication);
    app.all("/api/v1/:method", callMethod);
    app.all("/api/v1/:family/:method", callMethod);
  }
  if (host.calls !== undefined) {
    app.get("/openapi.json", read, openApiRoute(host.calls, host.version));
  }
  if (host.mcp !== undefined && host.calls !== undefined) {
    const { mcp, calls, logger, version = "0.0.0" } = host;
    // Few gateways have MCP clients, and the library takes a part of the time of a start.
    let route: Promise<ReturnType<typeof mcpRoute>> | undefined;
    const load = async () => {
      const { mcpRoute } = await import("../mcp/route.js");
      const callerOf = (context: Context) => authentication.callerOf(context);
      return mcpRoute({ ...mcp, calls, logger, version }, callerOf);
    };
    app.all("/mcp", read, async (context) => {
      route ??= load();
      return (await route)(context);
    });
  }
  const write = authentication.require("operator.write");
  const callerOf = (context: Context) => authentication.callerOf(context);
  const chat: MiddlewareHandler<HttpEnvironment> = async (context, next) => {
    await authentication.check(context, "operator.write");
    access.calls.countChat(await authentication.callerOf(context));
    return next();
  };
  app.post("/v1/chat/completions", chat, chatCompletionRoute(host, callerOf));
  app.post("/v1/responses", chat, responseRoute(host, callerOf));
  app.get("/v1/responses/:id", read, storedResponseRoute(host));
  app.delete("/v1/responses/:id", write, deletedResponseRoute(host));
  app.post("/v1/embeddings", write, embeddingsRoute(host));
  app.post("/v1/messages", chat, messagesRoute(host, callerOf));
  app.post("/v1/messages/count_tokens", read, countTokensRoute(host));
  app.get("/v1/models", read, byClient(modelsRoute(host), messageModelsRoute(host)));
  app.get("/v1/models/:id{.+}", read, byClient(modelRoute(host), messageModelRoute(host)));
  app.notFound((context) =>
    byClient(failWith, failWithAnthropic)(context, {
      status: 404,
      type: "not_found_error",
      code: "unknown_route",
      message: `route ${context.req.method} ${context.req.path} not found`,
    }),
  );
  app.onError((error, context) => failedRequest(error, context, host));
  return app;
}

/** Shown instead of a console whose files are missing, which happens in a checkout only. */
const NOT_BUILT =
  "The web console is not built. In a checkout, `npx -y pnpm@12.21.0 build` builds it; start the gateway again afterwards.";

function failedRequest(error: Error, context: Context<HttpEnvironment>, host: HttpHost): Response {
  if (OpenClawError.isInstance(error) && httpStatusOf(error) < 500) {
    if (!MessageRefusedError.isInstance(error)) return errorResponse(context, error);
  }
  return byClient(failWith, failWithAnthropic)(context, failureOf(error, context, host));
}

type Responder<Rest extends unknown[]> = (context: Context, ...rest: Rest) => Response;

/** Returns the responder for the API whose client sent the request. */
function byClient<Rest extends unknown[]>(
  openAi: Responder<Rest>,
  anthropic: Responder<Rest>,
): Responder<Rest> {
  return (context, ...rest) => (isAnthropicRequest(context) ? anthropic : openAi)(context, ...rest);
}

function failureOf(
  error: Error,
  context: Context<HttpEnvironment>,
  { logger }: HttpHost,
): OpenAiFailure {
  if (MessageRefusedError.isInstance(error)) {
    const { message, reason } = error;
    const status = httpStatusOf(error);
    return reason === "stopping" || reason === "draining"
      ? { status, type: "server_error", code: reason, message }
      : { status, type: "invalid_request_error", code: "empty_message", message };
  }
  if (context.req.raw.signal.aborted) {
    const message = "the connection was closed before the request was complete";
    return { status: 400, type: "invalid_request_error", code: "request_aborted", message };
  }
  const requestId = requestIdOf(context.env.outgoing);
  return requestFailure(error, {
    ...logger,
    error: (message, fields) => logger.error(message, { ...fields, requestId }),
  });
}
