import { httpStatusOf, OpenClawError } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { GatewayMethodHandlers } from "@openclaw/protocol";
import {
  type GatewayMethod,
  type GatewayMethodErrorBody,
  gatewayMethodParameters,
} from "@openclaw/protocol";
import type { Context } from "hono";
import { Compile } from "typebox/compile";
import { InvalidRequestError, MethodNotFoundError } from "../errors.js";
import { internalError } from "./internal-error.js";

/**
 * `POST /api/v1/<family>/<method>` (GW-033): every method of the wire over HTTP, one implementation and
 * one error body.
 * @param administration - loaded when the first method is called
 * @param logger - receives what fails unexpectedly
 */
export function apiMethodRoute(
  administration: () => Promise<GatewayMethodHandlers>,
  logger: Logger,
) {
  return async (context: Context): Promise<Response> => {
    const method = `${context.req.param("family")}.${context.req.param("method")}`;
    const text = await context.req.text();
    try {
      if (!isGatewayMethod(method)) {
        throw new MethodNotFoundError(method, Object.keys(gatewayMethodParameters));
      }
      const parameters = readParameters(method, text);
      const methods = await administration();
      // The schema of this very method has just accepted the parameters.
      const run = methods[method] as (parameters: unknown) => Promise<unknown>;
      return context.json(await run(parameters));
    } catch (error) {
      return fail(context, OpenClawError.isInstance(error) ? error : internalError(error, logger));
    }
  };
}

function readParameters(method: GatewayMethod, text: string): unknown {
  const parameters = parseJson(method, text);
  const schema = Compile(gatewayMethodParameters[method]);
  if (schema.Check(parameters)) return parameters;
  const issues = schema.Errors(parameters).slice(0, 5);
  const problems = issues.map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
  throw new InvalidRequestError(method, problems.join("; "));
}

function parseJson(method: GatewayMethod, text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new InvalidRequestError(method, "send the parameters as JSON");
  }
}

function isGatewayMethod(method: string): method is GatewayMethod {
  return Object.hasOwn(gatewayMethodParameters, method);
}

function fail(context: Context, error: OpenClawError): Response {
  const { code, kind, message } = error;
  const body: GatewayMethodErrorBody = { error: { code, kind, message } };
  return context.json(body, httpStatusOf(error));
}
