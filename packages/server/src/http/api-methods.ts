import { httpStatusOf, parseWellFormed } from "@openclaw/foundation";
import type { MethodDefinition, WireErrorBody } from "@openclaw/protocol";
import { InvalidRequestError, wireErrorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import type { MethodCalls } from "../calls/method-calls.js";
import { HttpMethodError } from "../errors.js";
import type { RequestAuthentication } from "./authentication.js";
import { readQuery } from "./query-parameters.js";
import { requestHeader } from "./request-header.js";

/**
 * Creates the routes `/api/v1/<family>/<method>` (GW-033) and `/api/v1/<name>`, which serve every method to `POST` with
 * its parameters as JSON, and methods that only read to `GET` with their parameters in the query; all with one error
 * body. Only the second one reaches methods of plugins whose names have no dot or several.
 * @param authentication - identifies the caller of a request
 */
export function apiMethodRoute(
  calls: Pick<MethodCalls, "execute" | "definition">,
  authentication: Pick<RequestAuthentication, "callerOf">,
) {
  return async (context: Context): Promise<Response> => {
    const { family, method: name = "" } = context.req.param();
    const method = family === undefined ? name : `${family}.${name}`;
    const caller = await authentication.callerOf(context);
    const definition = await calls.definition(method);
    const allowed = allowedMethods(definition);
    if (!allowed.includes(context.req.method)) {
      const error = new HttpMethodError(context.req.method, method, allowed);
      context.header("Allow", allowed.join(", "));
      const body: WireErrorBody = { error: wireErrorOf(error) };
      return context.json(body, 405);
    }
    const params = await readParameters(context, definition);
    if (params === NOT_JSON) {
      const issues = [{ path: "", message: "send the parameters as JSON" }];
      const error = new InvalidRequestError(method, issues);
      const body: WireErrorBody = { error: wireErrorOf(error) };
      return context.json(body, httpStatusOf(error));
    }
    const outcome = await calls.execute({
      method,
      params,
      caller,
      signal: context.req.raw.signal,
      idempotencyKey: requestHeader(context, "idempotency-key"),
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

/** A method that does not exist is answered with 404, whatever the method of the request. */
function allowedMethods(definition: MethodDefinition | undefined): readonly string[] {
  if (definition === undefined) return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
  return definition.effect === "read" ? ["GET", "HEAD", "POST"] : ["POST"];
}

const NOT_JSON = Symbol("not JSON");

async function readParameters(
  { req }: Context,
  definition: MethodDefinition | undefined,
): Promise<unknown> {
  if (definition !== undefined && (req.method === "GET" || req.method === "HEAD")) {
    return readQuery(new URL(req.url).searchParams, definition.params);
  }
  const text = await req.text();
  try {
    return text === "" ? {} : parseWellFormed(text);
  } catch {
    return NOT_JSON;
  }
}
