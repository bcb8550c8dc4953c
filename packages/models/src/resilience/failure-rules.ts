import { ModelRateLimitedError, type ModelRequestError } from "../request/errors.js";

/** Consequences of a failed request. */
export interface FailureRules {
  /** The same model may be called again (LLM-025). */
  readonly repeats: boolean;
  /** The next model is called (LLM-018). */
  readonly movesOn: boolean;
  /** The model cools down (LLM-017). */
  readonly cools: boolean;
  /** The breaker of the provider counts the failure (LLM-027). */
  readonly breaks: boolean;
}

const PROVIDER_FAILED: FailureRules = { repeats: true, movesOn: true, cools: true, breaks: true };
const STOPS: FailureRules = { repeats: false, movesOn: false, cools: false, breaks: false };

/** Classes that say that the provider failed, by code; all others end the request. */
const BY_CODE: Readonly<Record<string, FailureRules>> = {
  MODEL_REQUEST_FAILED: PROVIDER_FAILED,
  MODEL_RATE_LIMITED: PROVIDER_FAILED,
  MODEL_INVALID_RESPONSE: PROVIDER_FAILED,
  MODEL_CONNECTION_FAILED: PROVIDER_FAILED,
  MODEL_TIMEOUT: PROVIDER_FAILED,
  // A session comes back only with a sign-in, not with another request.
  MODEL_SESSION_RENEWAL_FAILED: { ...PROVIDER_FAILED, repeats: false },
  MODEL_SESSION_EXPIRED: { ...STOPS, breaks: true },
};

/**
 * Returns what follows from a failed request. A request that the provider rejects as faulty goes to the next model,
 * which may accept it, but says nothing about the health of the provider.
 * @param error - class of the failure
 */
export function failureRules(error: ModelRequestError): FailureRules {
  const rules = Object.hasOwn(BY_CODE, error.code) ? (BY_CODE[error.code] ?? STOPS) : STOPS;
  if (rules !== PROVIDER_FAILED || error.retryable) return rules;
  // An account without quota stays so for a while; a faulty request is not the fault of the provider.
  return ModelRateLimitedError.isInstance(error)
    ? { ...rules, repeats: false }
    : { ...STOPS, movesOn: true };
}

/**
 * Returns the milliseconds that the provider asks to wait, if it does.
 * @param error - failure of a request
 */
export function retryAfterOf(error: ModelRequestError): number | undefined {
  return ModelRateLimitedError.isInstance(error) ? error.retryAfterMs : undefined;
}
