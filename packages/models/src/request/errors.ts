import { type ErrorKind, OpenClawError } from "@openclaw/plugin-sdk";

/** Details of a failed request. */
export interface ModelRequestFailure {
  /** Provider of the model, as the model names it. */
  provider: string;
  /** ID of the model, without the provider. */
  model: string;
  /** Short message of the provider or the network, without keys. */
  detail: string;
  /** HTTP status, when there was a response. */
  status?: number | undefined;
  /** Underlying error; omitted when it would contain the request or a key. */
  cause?: unknown;
}

/**
 * A request to a model gave no usable reply. Every failure of `streamModel` is one of its
 * subclasses; `ModelRequestError.isInstance` recognises them all (LLM-006).
 */
export abstract class ModelRequestError extends OpenClawError {
  static override readonly code: string = "MODEL_REQUEST";
  static override readonly kind: ErrorKind = "unavailable";
  readonly provider: string;
  readonly model: string;
  /** True when the same request may succeed later or with another provider. */
  readonly retryable: boolean;
  /** HTTP status, when there was a response. */
  readonly status: number | undefined;

  constructor(failure: ModelRequestFailure, problem: string, nextStep: string, retryable: boolean) {
    const details = [failure.status === undefined ? "" : `HTTP ${failure.status}`, failure.detail]
      .filter((part) => part !== "")
      .join(": ");
    super(
      `model ${failure.provider}/${failure.model} ${problem}${details && ` (${details})`}${nextStep && `; ${nextStep}`}`,
      { cause: failure.cause },
    );
    this.provider = failure.provider;
    this.model = failure.model;
    this.retryable = retryable;
    this.status = failure.status;
  }
}

/** The provider reported a failure that has no specific class. */
export class ModelRequestFailedError extends ModelRequestError {
  static override readonly code = "MODEL_REQUEST_FAILED";

  constructor(failure: ModelRequestFailure, retryable: boolean) {
    const nextStep = retryable
      ? "try again in a moment or choose another model"
      : "change the request or choose another model";
    super(failure, "failed", nextStep, retryable);
  }
}

/** The provider accepts no more requests at the moment, or until the account has credit again. */
export class ModelRateLimitedError extends ModelRequestError {
  static override readonly code = "MODEL_RATE_LIMITED";
  static override readonly kind = "rate-limited";
  /** Milliseconds that the provider asks to wait, if it does. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: ModelRequestFailure,
    limit: { retryAfterMs?: number | undefined; exhausted: boolean },
  ) {
    const wait =
      limit.retryAfterMs === undefined ? "later" : `in ${Math.ceil(limit.retryAfterMs / 1000)} s`;
    const nextStep = limit.exhausted
      ? `add credit to the account of provider ${failure.provider} or choose another model`
      : `try again ${wait} or choose another model`;
    const problem = limit.exhausted ? "has no quota left" : "has reached its rate limit";
    super(failure, problem, nextStep, !limit.exhausted);
    this.retryAfterMs = limit.retryAfterMs;
  }
}

/** The provider rejected the credential. */
export class ModelAuthenticationError extends ModelRequestError {
  static override readonly code = "MODEL_AUTHENTICATION_FAILED";
  static override readonly kind = "configuration";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `check the API key of provider ${failure.provider}, and that it may use this model`;
    super(failure, "rejected the credential", nextStep, false);
  }
}

/** The login session of a provider has expired, and the provider cannot renew it. */
export class ModelSessionExpiredError extends ModelRequestError {
  static override readonly code = "MODEL_SESSION_EXPIRED";
  static override readonly kind = "configuration";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `log in to provider ${failure.provider} again`;
    super(
      failure,
      "was not called, because the session of its provider has expired",
      nextStep,
      false,
    );
  }
}

/** The provider did not renew an expired login session. */
export class ModelSessionRenewalError extends ModelRequestError {
  static override readonly code = "MODEL_SESSION_RENEWAL_FAILED";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `log in to provider ${failure.provider} again`;
    super(
      failure,
      "was not called, because the session of its provider was not renewed",
      // A provider with a sign-in names its command.
      /\b(?:sign|log) in\b/.test(failure.detail) ? "" : nextStep,
      false,
    );
  }
}

/** The provider does not know the model, or no server responds at the URL. */
export class ModelNotAvailableError extends ModelRequestError {
  static override readonly code = "MODEL_NOT_AVAILABLE";
  static override readonly kind = "not-found";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `check the model's name and the base URL of provider ${failure.provider}`;
    super(failure, "is not available", nextStep, false);
  }
}

/** The conversation exceeds the context of the model. */
export class ModelContextLengthError extends ModelRequestError {
  static override readonly code = "MODEL_CONTEXT_LENGTH_EXCEEDED";
  static override readonly kind = "too-large";
  /** Number of tokens of the request, when the provider states it. */
  readonly used: number | undefined;
  /** Maximum number of tokens of the model, when the provider states it. */
  readonly limit: number | undefined;

  constructor(
    failure: ModelRequestFailure,
    tokens: { used: number | undefined; limit: number | undefined },
  ) {
    const nextStep = "shorten the conversation or choose a model with a larger context";
    super(failure, "was given more than its context can contain", nextStep, false);
    this.used = tokens.used;
    this.limit = tokens.limit;
  }
}

/** The reply was longer than the host's limit. */
export class ModelReplyTooLargeError extends ModelRequestError {
  static override readonly code = "MODEL_REPLY_TOO_LARGE";
  static override readonly kind = "too-large";

  constructor(failure: ModelRequestFailure) {
    const nextStep = "request a shorter reply, or limit its tokens";
    super(failure, "sent a reply that is longer than the limit", nextStep, false);
  }
}

/** The response was not a complete reply: it was malformed or truncated. */
export class ModelInvalidResponseError extends ModelRequestError {
  static override readonly code = "MODEL_INVALID_RESPONSE";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `try again; if the error persists, check the base URL of provider ${failure.provider}`;
    super(failure, "did not send a complete reply", nextStep, true);
  }
}

/** The connection failed or was lost. */
export class ModelConnectionError extends ModelRequestError {
  static override readonly code = "MODEL_CONNECTION_FAILED";

  constructor(failure: ModelRequestFailure) {
    const nextStep = `check the network and that the server of provider ${failure.provider} is running`;
    super(failure, "could not be reached, or the connection was lost", nextStep, true);
  }
}

/** The request timed out. */
export class ModelTimeoutError extends ModelRequestError {
  static override readonly code = "MODEL_TIMEOUT";
  static override readonly kind = "timeout";

  constructor(failure: ModelRequestFailure) {
    super(failure, "did not respond in time", "try again or increase the timeout", true);
  }
}

/** The caller's signal ended the request. */
export class ModelAbortedError extends ModelRequestError {
  static override readonly code = "MODEL_ABORTED";
  static override readonly kind = "conflict";

  constructor(failure: ModelRequestFailure) {
    super(
      failure,
      "was stopped before it finished its reply",
      "send the request again to continue",
      false,
    );
  }
}
