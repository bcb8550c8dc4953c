import { httpStatusOf, OpenClawError } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { WireErrorBody } from "@openclaw/protocol";
import { wireErrorOf } from "@openclaw/protocol/registry";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { internalError } from "../http/internal-error.js";
import { retryAfter } from "../http/refusal.js";
import { WebhookNotFoundError, WebhookTooLargeError } from "./errors.js";
import type { RoutineRequests } from "./routine-requests.js";
import { WEBHOOK_BYTES, type Webhooks } from "./webhooks.js";

/**
 * Creates the routes of webhooks, which authenticate their requests themselves (GW-041): `POST /hooks/<name>`.
 * @param webhooks - configured webhooks
 * @param logger - receives unexpected failures
 */
export function webhookRoutes(webhooks: Webhooks, logger: Logger): Hono {
  const app = new Hono();
  app.post(
    "/hooks/:name",
    async (context, next) => {
      webhooks.require(context.req.param("name"));
      return next();
    },
    webhookLimit((context) => context.req.param("name") ?? ""),
    async (context) => {
      const messageId = await webhooks.accept({
        name: context.req.param("name"),
        body: new Uint8Array(await context.req.arrayBuffer()),
        header: (name) => context.req.header(name),
      });
      return context.json({ messageId }, 202);
    },
  );
  app.all("/hooks/:name", (context) => {
    webhooks.require(context.req.param("name"));
    return onlyPost(context);
  });
  app.onError((error, context) =>
    respond(context, OpenClawError.isInstance(error) ? error : internalError(error, logger)),
  );
  return app;
}

/**
 * Creates the routes of the webhooks of routines, which authenticate their requests themselves (JOB-024).
 * @param requests - webhooks of routines
 * @param logger - receives unexpected failures
 */
export function routineWebhookRoutes(requests: RoutineRequests, logger: Logger): Hono {
  const app = new Hono();
  app.post(
    "/hooks/routine/:id",
    async (context, next) => {
      await requests.require(context.req.param("id"));
      return next();
    },
    webhookLimit((context) => `routine/${context.req.param("id")}`),
    async (context) => {
      const answer = await requests.accept({
        name: context.req.param("id"),
        body: new Uint8Array(await context.req.arrayBuffer()),
        header: (name) => context.req.header(name),
      });
      return context.json(answer, 202);
    },
  );
  app.all("/hooks/routine/:id", async (context) => {
    await requests.require(context.req.param("id"));
    return onlyPost(context);
  });
  app.onError((error, context) =>
    respond(context, OpenClawError.isInstance(error) ? error : internalError(error, logger)),
  );
  return app;
}

function webhookLimit(nameOf: (context: Context) => string) {
  return bodyLimit({
    maxSize: WEBHOOK_BYTES,
    onError: (context) => {
      // The rest of the body is not read, so the connection cannot be reused.
      context.header("Connection", "close");
      return respond(context, new WebhookTooLargeError(nameOf(context), "body", WEBHOOK_BYTES));
    },
  });
}

/** Creates the answers to requests for webhooks of channels that no plugin serves (GW-041). */
export function missingChannelWebhooks(): Hono {
  const app = new Hono();
  for (const path of ["/webhook/:name", "/channels/:name/webhook"]) {
    app.all(path, (context) =>
      respond(context, new WebhookNotFoundError(context.req.param("name") ?? "", "channel")),
    );
  }
  return app;
}

function onlyPost(context: Context): Response {
  context.header("Allow", "POST");
  return context.body(null, context.req.method === "OPTIONS" ? 204 : 405);
}

function respond(context: Context, error: OpenClawError): Response {
  const body: WireErrorBody = { error: wireErrorOf(error) };
  return context.json(body, httpStatusOf(error), retryAfter(error));
}
