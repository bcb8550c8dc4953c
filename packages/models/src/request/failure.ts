import { isContextOverflow, overflowTokens } from "./context-overflow.js";
import { errorText } from "./error-text.js";
import {
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  ModelReplyTooLargeError,
  ModelRequestError,
  ModelRequestFailedError,
  type ModelRequestFailure,
  ModelSessionExpiredError,
  ModelSessionRenewalError,
  ModelTimeoutError,
} from "./errors.js";
import { statedDuration, statedWait } from "./stated-wait.js";

/** Model that a request was sent to. */
export interface RequestedModel {
  readonly provider: string;
  readonly modelId: string;
}

/**
 * Finds the class of a failed request from what was thrown or streamed: an error of the AI SDK, an
 * error of the network, a provider's error object, or anything else.
 * @param error - thrown value, or the `error` of an error part
 * @param model - model of the request
 * @param signal - the caller's signal
 */
export function requestFailure(
  error: unknown,
  model: RequestedModel,
  signal: AbortSignal | undefined,
): ModelRequestError {
  if (ModelRequestError.isInstance(error)) return error;
  const facts = failureFacts(error);
  const isUnsendable = UNSENDABLE.test(facts.message);
  const failure: ModelRequestFailure = {
    provider: model.provider,
    model: model.modelId,
    detail: isUnsendable ? UNSENDABLE_HEADER : errorText(facts.message),
    status: facts.status,
    cause: facts.cause,
  };
  if (signal?.aborted) {
    const stopped = { ...failure, detail: "", status: undefined, cause: signal.reason };
    return isNamed(signal.reason, "TimeoutError")
      ? new ModelTimeoutError(stopped)
      : new ModelAbortedError(stopped);
  }
  if (isUnsendable) return new ModelAuthenticationError({ ...failure, status: undefined });
  if (facts.kinds.has(TOO_LARGE)) {
    return new ModelReplyTooLargeError({ ...failure, status: undefined });
  }
  if (facts.kinds.has(ModelSessionExpiredError.code)) return new ModelSessionExpiredError(failure);
  // Providers with a sign-in have their own classes, whose codes end alike (LLM-010).
  if ([...facts.kinds].some((kind) => kind.endsWith("_SESSION_RENEWAL_FAILED"))) {
    return new ModelSessionRenewalError(failure);
  }
  if (facts.timedOut || facts.status === 408) return new ModelTimeoutError(failure);
  if (facts.connectionLost) return new ModelConnectionError({ ...failure, status: undefined });
  const retryAfterMs = retryAfter(facts.headers) ?? facts.retryDelayMs;
  // A single request that is too large, whatever else the code says: waiting does not make it shorter.
  const isTooLarge = facts.status === 413;
  if (!isTooLarge && isExhausted(facts, retryAfterMs)) {
    return new ModelRateLimitedError(failure, { exhausted: true });
  }
  // Before the length: limits of tokens per minute are worded like limits of one request.
  if (facts.status === 429 || (!isTooLarge && hasAny(facts, RATE_LIMITED))) {
    return new ModelRateLimitedError(failure, { exhausted: false, retryAfterMs });
  }
  if (isContextOverflow(facts)) {
    return new ModelContextLengthError(failure, overflowTokens(facts.message));
  }
  if (facts.status === 401 || facts.status === 403 || hasAny(facts, REFUSED)) {
    return new ModelAuthenticationError(failure);
  }
  if (facts.status === 404 || hasAny(facts, NO_MODEL)) return new ModelNotAvailableError(failure);
  if (
    hasAny(facts, UNREADABLE) ||
    BROKEN_FRAME.test(facts.message) ||
    (facts.status !== undefined && facts.status < 300)
  ) {
    return new ModelInvalidResponseError(failure);
  }
  return new ModelRequestFailedError(failure, isRetryable(facts));
}

/** Errors of `fetch` and Node for a header that HTTP cannot carry; they name neither the header nor its source. */
const UNSENDABLE =
  /convert argument to a ByteString|invalid character in header content|invalid header value/i;
const UNSENDABLE_HEADER =
  "a header of the request has a character that HTTP cannot carry; check the API key and the headers of the provider";
/** The code of the plugin SDK's `ProviderReplyTooLargeError`; client libraries wrap it. */
const TOO_LARGE = "PROVIDER_REPLY_TOO_LARGE";
const NO_QUOTA = [
  "insufficient_quota",
  "billing_error",
  "billing_hard_limit_reached",
  "ServiceQuotaExceededException",
];
/** Messages of providers without a code for it. */
const NO_CREDIT = /credit balance is too low|exceeded your current quota/i;
const RATE_LIMITED = [
  "rate_limit_error",
  "rate_limit_exceeded",
  "too_many_requests",
  "RESOURCE_EXHAUSTED",
  "ThrottlingException",
  "throttlingException",
];
const REFUSED = [
  "authentication_error",
  "permission_error",
  "invalid_api_key",
  "AI_LoadAPIKeyError",
  // Gemini reports a wrong key as an invalid argument.
  "API_KEY_INVALID",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
];
const NO_MODEL = ["not_found_error", "model_not_found", "AI_NoSuchModelError", "NOT_FOUND"];
const UNREADABLE = [
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_NoContentGeneratedError",
  "AI_TypeValidationError",
];
/** Messages of the binary event stream of AWS, whose errors have no class. */
const BROKEN_FRAME = /incomplete .*event-stream frame|checksum/i;
/** Failures caused by the request itself, which would fail again. */
const REQUEST_FAULTS = [
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
  "AI_LoadSettingError",
  "AI_UnsupportedFunctionalityError",
  "MODEL_PROMPT_UNSUPPORTED",
  "MODEL_SCRIPT_EXHAUSTED",
  "invalid_request_error",
];

interface FailureFacts {
  message: string;
  status: number | undefined;
  /** Error names, and the codes and types of the provider's errors. */
  kinds: Set<string>;
  headers: unknown;
  /** Milliseconds to wait according to the body. */
  retryDelayMs: number | undefined;
  connectionLost: boolean;
  timedOut: boolean;
  cause: unknown;
}

const NETWORK_CODE = /^(?:E[A-Z_]+|UND_ERR_[A-Z_]+|ERR_SSL_[A-Z_]+|ERR_TLS_[A-Z_]+)$/;
const BROKEN_STREAM = /^(?:terminated|fetch failed|other side closed|socket hang up)$/i;

function failureFacts(error: unknown): FailureFacts {
  const kinds = new Set<string>();
  let status: number | undefined;
  let networkCode: string | undefined;
  let broken = false;
  // Providers nest errors: the class is in `cause`, the provider's message in `data.error` or `error`.
  let retryDelayMs: number | undefined;
  for (const layer of layers(error)) {
    for (const key of ["name", "type", "code", "status", "reason"]) {
      const kind = field(layer, key);
      if (typeof kind !== "string") continue;
      kinds.add(kind);
      if (key === "code" && NETWORK_CODE.test(kind)) networkCode ??= kind;
    }
    status ??= httpStatus(layer);
    retryDelayMs ??= statedDuration(field(layer, "retryDelay"), Date.now());
    if (layer instanceof TypeError && BROKEN_STREAM.test(layer.message)) broken = true;
  }
  const headers = field(error, "responseHeaders");
  const awsType = field(headers, "x-amzn-errortype");
  if (typeof awsType === "string") kinds.add(awsType);
  const isApiCall = kinds.has("AI_APICallError");
  // A successful status with a failure: the response had started, and reading its body failed.
  const failedInBody = isApiCall && status !== undefined && status < 300;
  const connectionLost =
    status === undefined
      ? networkCode !== undefined || broken || isApiCall
      : failedInBody && (networkCode !== undefined || broken);
  const said = messageOf((failedInBody && field(error, "cause")) || error);
  return {
    // The message of a network error is often only its code.
    message:
      networkCode === undefined || said.includes(networkCode) ? said : `${said} ${networkCode}`,
    status,
    kinds,
    headers,
    retryDelayMs,
    connectionLost,
    timedOut: isNamed(error, "TimeoutError") || (networkCode?.endsWith("TIMEOUT") ?? false),
    // An API call error contains the whole request and the headers of the response, which must not be logged.
    cause: isApiCall ? field(error, "cause") : error,
  };
}

/** Yields the error and the errors that it wraps, outermost first, up to a limited depth. */
function* layers(error: unknown, depth = 0): Generator<unknown> {
  if (typeof error !== "object" || error === null || depth > 4) return;
  yield error;
  for (const key of ["cause", "data", "error"]) yield* layers(field(error, key), depth + 1);
  const details = field(error, "details");
  if (Array.isArray(details)) for (const detail of details) yield* layers(detail, depth + 1);
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  for (const layer of layers(error)) {
    const message = field(layer, "message");
    if (typeof message === "string" && message !== "") return message;
  }
  return typeof error === "object" && error !== null ? JSON.stringify(error) : String(error);
}

function httpStatus(layer: unknown): number | undefined {
  for (const key of ["statusCode", "status", "code"]) {
    const status = field(layer, key);
    if (typeof status === "number" && status >= 200 && status < 600) return status;
  }
  return undefined;
}

/** Returns true when waiting does not help. A provider that states a wait gives a limit over time the same words. */
function isExhausted(facts: FailureFacts, retryAfterMs: number | undefined): boolean {
  if (facts.status === 402 || hasAny(facts, NO_QUOTA)) return true;
  return retryAfterMs === undefined && NO_CREDIT.test(facts.message);
}

/** Statuses below 500 of failures that pass: a conflict, and a model of Bedrock that failed in mid-stream. */
const PASSING = [409, 424];

function isRetryable(facts: FailureFacts): boolean {
  if (facts.status !== undefined) return facts.status >= 500 || PASSING.includes(facts.status);
  return !hasAny(facts, REQUEST_FAULTS) && !facts.kinds.has("TypeError");
}

function hasAny(facts: FailureFacts, kinds: readonly string[]): boolean {
  return kinds.some((kind) => facts.kinds.has(kind));
}

/** Returns the milliseconds to wait according to the response headers. */
function retryAfter(headers: unknown): number | undefined {
  const milliseconds = field(headers, "retry-after-ms");
  return statedWait({ milliseconds, wait: field(headers, "retry-after") }, Date.now());
}

function isNamed(value: unknown, name: string): boolean {
  return field(value, "name") === name;
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
