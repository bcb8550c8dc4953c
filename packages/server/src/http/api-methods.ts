import { httpStatusOf, OpenClawError } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { GatewayMethodErrorBody } from "@openclaw/protocol";
import { InvalidRequestError, type MethodRegistry } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { internalError } from "./internal-error.js";

/**
 * Creates the route `POST /api/v1/<family>/<method>` (GW-033), which serves every method over HTTP with one
 * error body.
 * @param methods - loads the methods at the first call
 * @param logger - receives unexpected failures
 */
export function apiMethodRoute(
  methods: () => Promise<Pick<MethodRegistry, "dispatch">>,
  logger: Logger,
) {
  return async (context: Context): Promise<Response> => {
    const method = `${context.req.param("family")}.${context.req.param("method")}`;
    const text = await context.req.text();
    try {
      const registry = await methods();
      return context.json(await registry.dispatch(method, readJson(method, text)));
    } catch (error) {
      return fail(context, OpenClawError.isInstance(error) ? error : internalError(error, logger));
    }
  };
}

function readJson(method: string, text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new InvalidRequestError(method, [{ path: "", message: "send the parameters as JSON" }]);
  }
}

function fail(context: Context, error: OpenClawError): Response {
  const { code, kind, message } = error;
  const details = InvalidRequestError.isInstance(error) ? { issues: error.issues } : undefined;
  const body: GatewayMethodErrorBody = {
    error: { code, kind, message, ...(details !== undefined && { details }) },
  };
  return context.json(body, httpStatusOf(error));
}
