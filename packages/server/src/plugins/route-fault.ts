import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "@openclaw/plugin-sdk";
import { internalFailure, type OpenAiFailure } from "../openai/error.js";

/** Time in milliseconds within which a plugin must start its response (GW-040). */
export const HEADERS_DEADLINE_MS = 30_000;

/** Returns the response that tells the server that the plugin writes the response itself. */
export function writtenByPlugin(): Response {
  const response = new Response(null, RESPONSE_ALREADY_SENT);
  // Hono copies the response to HEAD; only a response of its own class whose parts were read keeps the mark in the copy.
  void response.body;
  return response;
}

/** Plugin whose code serves a request. */
export interface RouteOwner {
  readonly pluginId: string;
  /**
   * Adds a diagnostic about a request that failed, once per problem.
   * @param problem - end of the sentence "the route …"
   */
  reportFailure(problem: string): void;
}

/**
 * Reports an error of a plugin's handler, in the log and as a diagnostic of the plugin (GW-040).
 * @param owner - plugin
 * @param logger - receives the complete error
 * @param problem - end of the sentence "the route …"
 * @returns the response, which has the ID of the log entry only
 */
export function reportFault(
  error: unknown,
  { pluginId, reportFailure }: RouteOwner,
  logger: Logger,
  problem = "threw an error",
): OpenAiFailure {
  reportFailure(problem);
  return internalFailure(error, {
    ...logger,
    error: (message, fields) => logger.error(message, { ...fields, pluginId }),
  });
}

/**
 * Returns true when the client of a request disconnected: an error of the handler is then a consequence.
 * @param exchange - request and response
 */
export function clientIsGone({ incoming, outgoing }: HttpBindings): boolean {
  const isCut = outgoing.destroyed && !outgoing.writableFinished;
  return isCut || incoming.readableAborted || incoming.errored !== null;
}

/**
 * Reports a handler that did not start its response in time (GW-040).
 * @param owner - plugin
 * @param logger - receives the problem
 */
export function reportLate({ pluginId, reportFailure }: RouteOwner, logger: Logger): OpenAiFailure {
  const problem = `did not start its response within ${HEADERS_DEADLINE_MS} ms`;
  const message = `plugin "${pluginId}" ${problem}`;
  reportFailure(problem);
  logger.error(message, { pluginId });
  return { status: 504, type: "server_error", code: "plugin_timeout", message };
}
