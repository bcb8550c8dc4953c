import { httpStatusOf } from "@openclaw/foundation";
import type { WireErrorBody } from "@openclaw/protocol";
import { InvalidRequestError, wireErrorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import type { MethodCalls } from "../calls/method-calls.js";
import type { RequestAuthentication } from "./authentication.js";

/**
 * Creates the routes `POST /api/v1/<family>/<method>` (GW-033) and `POST /api/v1/<name>`, which serve every method
 * over HTTP with one error body. Only the second one reaches methods of plugins whose names have no dot or several.
 * @param calls - executes the calls
 * @param authentication - identifies the caller of a request
 */
export function apiMethodRoute(
  calls: Pick<MethodCalls, "execute">,
  authentication: Pick<RequestAuthentication, "callerOf">,
) {
  return async (context: Context): Promise<Response> => {
    const { family, method: name = "" } = context.req.param();
    const method = family === undefined ? name : `${family}.${name}`;
    const params = readJson(await context.req.text());
    if (params === NOT_JSON) {
      const issues = [{ path: "", message: "send the parameters as JSON" }];
      const error = new InvalidRequestError(method, issues);
      const body: WireErrorBody = { error: wireErrorOf(error) };
      return context.json(body, httpStatusOf(error));
    }
    const outcome = await calls.execute({
      method,
      params,
      caller: await authentication.callerOf(context),
      signal: context.req.raw.signal,
      idempotencyKey: context.req.header("idempotency-key"),
    });
    if (outcome.ok) return context.json(outcome.payload);
    const { error, status } = outcome;
    if (error.retryAfterMs !== undefined) {
      context.header("Retry-After", String(Math.ceil(error.retryAfterMs / 1000)));
    }
    const body: WireErrorBody = { error };
    return context.json(body, httpStatusOf(status));
  };
}

const NOT_JSON = Symbol("not JSON");

function readJson(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}
