import type { PluginExchange } from "./handler-host.js";
import { clientIsGone, reportFault } from "./route-fault.js";

const STREAM_FAILED = "failed while it sent its response";

/**
 * Returns a response whose body is read as code of the plugin. A body that fails aborts the connection, so that the
 * client does not take the response as complete; the error is only in the log.
 * @param response - response of a plugin
 * @param exchange - request, plugin and log
 */
export function withGuardedBody(response: Response, exchange: PluginExchange): Response {
  const { body } = response;
  if (body === null) return response;
  const { context, owner, plugins, logger } = exchange;
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await plugins.callPlugin(owner.pluginId, () => reader.read());
          if (done) return controller.close();
          if (value instanceof Uint8Array) return controller.enqueue(value);
          throw new TypeError("the body of a Response must consist of Uint8Array");
        } catch (error) {
          const { outgoing } = context.env;
          if (!clientIsGone(context.env)) reportFault(error, owner, logger, STREAM_FAILED);
          // An error of this stream would be shown to the client, and printed.
          outgoing.destroy();
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, response);
}
