import type { HttpFetchHandler } from "@openclaw/plugin-sdk/http";
import { failWith } from "../openai/error.js";
import type { HandlerHost, PluginContext } from "./handler-host.js";
import { withGuardedBody } from "./response-stream.js";
import {
  clientIsGone,
  HEADERS_DEADLINE_MS,
  type RouteOwner,
  reportFault,
  reportLate,
  writtenByPlugin,
} from "./route-fault.js";

/**
 * Serves a request with a handler of the Fetch style (GW-040).
 * @param handler - handler of a plugin
 * @param context - context of the request
 * @param owner - plugin
 * @param host - calls the plugin, and logs
 */
export async function serveWithFetch(
  handler: HttpFetchHandler,
  context: PluginContext,
  owner: RouteOwner,
  host: HandlerHost,
): Promise<Response> {
  const { plugins, logger } = host;
  const answer = async () => {
    const response: unknown = await handler(context.req.raw);
    if (!(response instanceof Response)) {
      throw new TypeError("a route of the Fetch style must return a Response");
    }
    // A body is read once; a plugin that returns the same response again would send it without one.
    if (response.bodyUsed || response.body?.locked === true) {
      throw new TypeError("the body of the Response was already read: return a new Response");
    }
    return response;
  };
  let isWaiting = true;
  const answered = plugins.callPlugin(owner.pluginId, answer).then(
    (response) => {
      if (isWaiting) return withGuardedBody(response, { ...host, context, owner });
      // No client reads a response that comes too late.
      response.body?.cancel().catch(() => undefined);
      return response;
    },
    (error: unknown) =>
      clientIsGone(context.env)
        ? writtenByPlugin()
        : failWith(context, reportFault(error, owner, logger)),
  );
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<Response>((resolve) => {
    timer = setTimeout(
      () => resolve(failWith(context, reportLate(owner, logger))),
      HEADERS_DEADLINE_MS,
    );
    context.env.outgoing.once("close", () => resolve(writtenByPlugin()));
  });
  const response = await Promise.race([answered, ended]);
  isWaiting = false;
  clearTimeout(timer);
  return response;
}
