import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { GatewayMethodHandlers } from "@openclaw/protocol";
import {
  type GatewayMethod,
  type GatewayMethodErrorBody,
  gatewayMethodParameters,
} from "@openclaw/protocol";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Compile } from "typebox/compile";

const STATUS_OF_ERROR = new Map<string, ContentfulStatusCode>([
  ["PLUGIN_NOT_FOUND", 404],
  ["PLUGIN_SOURCE_UNUSABLE", 400],
  ["PLUGIN_INSTALL_REFUSED", 409],
  ["CONFIG_INVALID", 409],
  ["HOOK_NOT_FOUND", 404],
  ["TOOL_NOT_FOUND", 404],
  ["SESSION_NOT_FOUND", 404],
  ["SESSION_BUSY", 409],
  ["STORE_UNAVAILABLE", 503],
  ["POLICY_DECISION_NOT_FOUND", 404],
  ["APPROVAL_NOT_FOUND", 404],
  ["APPROVAL_ALREADY_DECIDED", 409],
  ["APPROVAL_MISMATCH", 409],
  ["DECISION_NOT_ALLOWED", 409],
  ["NOT_AUTHORIZED_TO_APPROVE", 403],
  ["GRANT_NOT_FOUND", 404],
  ["RUN_NOT_FOUND", 404],
  ["RUN_NOT_REPLAYABLE", 409],
]);

/**
 * `POST /api/v1/<family>/<method>` (GW-033): every method of the wire over HTTP, one implementation and
 * one error body.
 * @param administration - loaded when the first method is called
 */
export function apiMethodRoute(administration: () => Promise<GatewayMethodHandlers>) {
  return async (context: Context): Promise<Response> => {
    const method = `${context.req.param("family")}.${context.req.param("method")}`;
    if (!isGatewayMethod(method)) {
      const known = Object.keys(gatewayMethodParameters).join(", ");
      return fail(context, 404, "NOT_FOUND", `there is no method ${method}; there are ${known}`);
    }
    const body = await readJson(context);
    if (body === undefined) {
      return fail(context, 400, "INVALID_REQUEST", `${method}: send the parameters as JSON`);
    }
    const { parameters } = body;
    const schema = Compile(gatewayMethodParameters[method]);
    if (!schema.Check(parameters)) {
      const issues = schema.Errors(parameters).slice(0, 5);
      const problem = issues.map(({ instancePath, message }) =>
        `${instancePath} ${message}`.trim(),
      );
      return fail(context, 400, "INVALID_REQUEST", `${method}: ${problem.join("; ")}`);
    }
    try {
      const methods = await administration();
      // The schema of this very method has just accepted the parameters.
      const run = methods[method] as (parameters: unknown) => Promise<unknown>;
      return context.json(await run(parameters));
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      return fail(context, STATUS_OF_ERROR.get(error.code) ?? 500, error.code, error.message);
    }
  };
}

function isGatewayMethod(method: string): method is GatewayMethod {
  return Object.hasOwn(gatewayMethodParameters, method);
}

async function readJson(context: Context): Promise<{ parameters: unknown } | undefined> {
  const text = await context.req.text();
  try {
    return { parameters: text === "" ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function fail(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  const body: GatewayMethodErrorBody = { error: { code, message } };
  return context.json(body, status);
}
