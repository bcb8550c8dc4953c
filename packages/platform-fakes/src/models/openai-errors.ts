import type { ApiResponse } from "./protocol.js";
import { Rejection, RequestChecker } from "./rejection.js";
import type { ModelServerFailure, ModelServerRequest } from "./reply.js";

/** Checks requests in the wording of OpenAI. */
export const openAiChecker = new RequestChecker({
  unknown: (path) => new Rejection(`Unknown parameter: '${path}'.`, 400, "unknown_parameter"),
  missing: (path) =>
    new Rejection(`Missing required parameter: '${path}'.`, 400, "missing_required_parameter"),
});

/** Image formats that OpenAI reads. */
export const OPENAI_IMAGE_FORMATS = ["png", "jpeg", "gif", "webp"];

/**
 * Checks the key of a request.
 * @param apiKey - valid key; without one, any request is accepted
 * @throws Rejection that repeats the wrong key, as the real API does
 */
export function checkBearer({ headers }: ModelServerRequest, apiKey: string | undefined): void {
  const { authorization } = headers;
  if (apiKey === undefined || authorization === `Bearer ${apiKey}`) return;
  const given = authorization?.replace(/^Bearer /, "");
  throw given === undefined
    ? new Rejection("You didn't provide an API key.", 401)
    : new Rejection(`Incorrect API key provided: ${given}.`, 401, "invalid_api_key");
}

/**
 * Returns the response to a rejected request.
 * @param rejection - status, code and message
 */
export function openAiRejected({ status, code, message }: Rejection): ApiResponse {
  const usual = status >= 500 ? "server_error" : "invalid_request_error";
  return {
    status,
    body: openAiError(message, TYPES.get(status) ?? usual, code ?? CODES.get(status)),
  };
}

const TYPES = new Map([
  [429, "requests"],
  [404, "invalid_request_error"],
]);
const CODES = new Map([
  [401, "invalid_api_key"],
  [404, "model_not_found"],
  [429, "rate_limit_exceeded"],
]);

/**
 * Returns the response for a failure.
 * @param failure - failure of the script
 */
export function openAiFailed(failure: ModelServerFailure): ApiResponse {
  switch (failure) {
    case "rate-limited":
      return {
        status: 429,
        headers: { "retry-after": "7" },
        body: openAiError("Rate limit reached for requests.", "requests", "rate_limit_exceeded"),
      };
    case "no-quota":
      return {
        status: 429,
        body: openAiError(
          "You exceeded your current quota, please check your plan and billing details.",
          "insufficient_quota",
          "insufficient_quota",
        ),
      };
    case "overloaded":
      return {
        status: 503,
        body: openAiError("The engine is currently overloaded.", "service_unavailable_error"),
      };
    case "server-error":
      return { status: 500, body: openAiError("The server had an error.", "server_error") };
    case "context-length":
      return {
        status: 400,
        body: openAiError(
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
          "invalid_request_error",
          "context_length_exceeded",
        ),
      };
    case "unknown-model":
      return {
        status: 404,
        body: openAiError(
          "The model `missing` does not exist or you do not have access to it.",
          "invalid_request_error",
          "model_not_found",
        ),
      };
  }
}

function openAiError(message: string, type: string, code?: string) {
  return { error: { message, type, param: null, code: code ?? null } };
}

/**
 * Rejects a strict schema of a reply that OpenAI would not follow exactly: each object must forbid other properties
 * and require those that it has.
 * @param schema - JSON Schema, or a part of it
 * @param path - its position, for the message
 */
export function checkStrictSchema(schema: unknown, path = "()"): void {
  if (typeof schema !== "object" || schema === null) return;
  const { type, properties, required, additionalProperties, items } = Object(schema);
  const invalid = (problem: string) =>
    new Rejection(`Invalid schema for response_format: In context=${path}, ${problem}`);
  if (type === "object") {
    if (additionalProperties !== false) {
      throw invalid("'additionalProperties' is required to be supplied and to be false.");
    }
    const missing = Object.keys(properties ?? {}).find((key) => !(required ?? []).includes(key));
    if (missing !== undefined) {
      throw invalid(`'required' must include every key in properties. Missing '${missing}'.`);
    }
  }
  for (const [key, inner] of Object.entries(properties ?? {})) {
    checkStrictSchema(inner, `${path}.${key}`);
  }
  checkStrictSchema(items, `${path}[]`);
}
