import { httpStatusOf, type OpenClawError } from "@openclaw/foundation";
import type { WireErrorBody } from "@openclaw/protocol";
import { wireErrorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { failWithAnthropic, isAnthropicRequest } from "../anthropic/error.js";
import { UnauthorizedError } from "../errors.js";
import { failWith, type OpenAiFailure } from "../openai/error.js";
import { retryAfter } from "./refusal.js";

/**
 * Responds to a request with an error: below `/v1` in the format that clients of the OpenAI API or of
 * the Messages API read, elsewhere as on the wire
 * (GW-021).
 * @param context - context of the request
 * @param error - problem and next step
 */
export function errorResponse(context: Context, error: OpenClawError): Response {
  for (const [name, value] of Object.entries(retryAfter(error))) context.header(name, value);
  if (UnauthorizedError.isInstance(error)) context.header("WWW-Authenticate", "Bearer");
  const status = httpStatusOf(error);
  if (context.req.path.startsWith("/v1/")) {
    const failure = { status, ...openAiForm(error, status), message: error.message };
    return isAnthropicRequest(context)
      ? failWithAnthropic(context, failure)
      : failWith(context, failure);
  }
  const body: WireErrorBody = { error: wireErrorOf(error) };
  return context.json(body, status);
}

function openAiForm(error: OpenClawError, status: number): Pick<OpenAiFailure, "type" | "code"> {
  if (status === 401) return { type: "authentication_error", code: "invalid_token" };
  if (status === 429) return { type: "rate_limit_error", code: "rate_limit_exceeded" };
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return { type, code: error.code.toLowerCase() };
}
