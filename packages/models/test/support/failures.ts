import {
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  ModelReplyTooLargeError,
  type ModelRequestError,
  ModelRequestFailedError,
  ModelSessionExpiredError,
  ModelSessionRenewalError,
  ModelTimeoutError,
} from "../../src/index.js";

const failure = { provider: "p", model: "m", detail: "" };

const MADE = {
  requestFailed: () => new ModelRequestFailedError(failure, true),
  rateLimited: () => new ModelRateLimitedError(failure, { exhausted: false }),
  exhausted: () => new ModelRateLimitedError(failure, { exhausted: true }),
  invalidResponse: () => new ModelInvalidResponseError(failure),
  connection: () => new ModelConnectionError(failure),
  timeout: () => new ModelTimeoutError(failure),
  sessionExpired: () => new ModelSessionExpiredError(failure),
  sessionRenewal: () => new ModelSessionRenewalError(failure),
  authentication: () => new ModelAuthenticationError(failure),
  contextLength: () => new ModelContextLengthError(failure, { used: undefined, limit: undefined }),
  notAvailable: () => new ModelNotAvailableError(failure),
  badRequest: () => new ModelRequestFailedError(failure, false),
  tooLarge: () => new ModelReplyTooLargeError(failure),
  aborted: () => new ModelAbortedError(failure),
} satisfies Record<string, () => ModelRequestError>;

export type FailureName = keyof typeof MADE;

export function failureOf(name: FailureName): ModelRequestError {
  return MADE[name]();
}

/**
 * Classes of the contract, and the errors that stand for them. A connection stands for `Http` and `Io`; a response that
 * is not JSON is an invalid response, so that `Json` has no class.
 */
export const FAILURES: Readonly<Record<string, readonly FailureName[]>> = {
  RequestFailed: ["requestFailed"],
  RateLimited: ["rateLimited", "exhausted"],
  InvalidResponse: ["invalidResponse"],
  SessionRenewalFailed: ["sessionRenewal"],
  SessionExpired: ["sessionExpired"],
  Http: ["connection"],
  Io: ["connection"],
  Timeout: ["timeout"],
  AuthFailed: ["authentication"],
  ContextLengthExceeded: ["contextLength"],
  ModelNotAvailable: ["notAvailable"],
  Json: [],
  Aborted: ["aborted"],
};
