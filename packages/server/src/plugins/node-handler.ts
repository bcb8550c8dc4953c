import type { ServerResponse } from "node:http";
import { httpStatusOf } from "@openclaw/foundation";
import type { HttpNodeHandler } from "@openclaw/plugin-sdk/http";
import type { WireErrorBody } from "@openclaw/protocol";
import { wireErrorOf } from "@openclaw/protocol/registry";
import type { BodyLimits } from "../http/body-limit.js";
import { errorBody, type OpenAiFailure } from "../openai/error.js";
import type { HandlerHost, PluginContext } from "./handler-host.js";
import {
  clientIsGone,
  HEADERS_DEADLINE_MS,
  type RouteOwner,
  reportFault,
  reportLate,
} from "./route-fault.js";
import { limitStreamedBody } from "./streamed-body.js";

const SENT_TWICE = "sent a response twice, or wrote after its end";

/**
 * Serves a request with a handler in the style of `node:http` (GW-040). The response may still be in progress when the
 * handler returns; only false declines the request.
 * @param handler - handler of a plugin
 * @param context - context of the request
 * @param owner - plugin
 * @param host - calls the plugin, and logs
 * @returns false when the handler declined the request, and has not written anything
 */
export async function serveInNode(
  handler: HttpNodeHandler,
  { env: { incoming, outgoing } }: PluginContext,
  owner: RouteOwner,
  host: HandlerHost & { readonly limits: Pick<BodyLimits, "bytes"> },
): Promise<boolean> {
  const { logger, plugins } = host;
  // Without a listener, a second response would be an uncaught exception.
  outgoing.on("error", (error) => reportFault(error, owner, logger, SENT_TWICE));
  limitStreamedBody(incoming, host.limits.bytes, (error) => {
    const body: WireErrorBody = { error: wireErrorOf(error) };
    // The rest of the body is not read, so the connection cannot be reused.
    sendError(outgoing, httpStatusOf(error), body, { connection: "close" });
  });
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<true>((resolve) => {
    timer = setTimeout(() => {
      if (outgoing.headersSent) return;
      sendFailure(outgoing, reportLate(owner, logger));
      resolve(true);
    }, HEADERS_DEADLINE_MS);
    outgoing.once("close", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  const handle = async () => (await handler(incoming, outgoing)) !== false;
  const handled = plugins.callPlugin(owner.pluginId, handle).catch((error: unknown) => {
    if (clientIsGone({ incoming, outgoing })) return true;
    const problem = outgoing.headersSent ? SENT_TWICE : undefined;
    sendFailure(outgoing, reportFault(error, owner, logger, problem));
    return true;
  });
  const isHandled = await Promise.race([handled, ended]);
  if (isHandled) return true;
  // Another handler cannot respond to a request that has a response.
  if (outgoing.headersSent || outgoing.writableEnded) return true;
  clearTimeout(timer);
  return false;
}

function sendFailure(outgoing: ServerResponse, failure: OpenAiFailure): void {
  sendError(outgoing, failure.status, errorBody(failure));
}

/** Sends an error, or aborts a response that has started: its client must not take it as complete. */
function sendError(
  outgoing: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (outgoing.writableEnded) return;
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(JSON.stringify(body));
}
