import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The SearXNG server did not answer a search. */
export class SearxngFailedError extends OpenClawError {
  static override readonly code = "SEARXNG_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param url - URL of the server
   * @param problem - reason of the failure
   * @param nextStep - action of the operator or of the model
   * @param cause - the underlying error
   */
  constructor(url: string, problem: string, nextStep: string, cause?: unknown) {
    super(`the SearXNG server at ${url} ${problem}; ${nextStep}`, { cause });
  }
}
