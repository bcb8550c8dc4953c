/** HTTP status of each reason for which a request is not accepted. */
const STATUS = {
  invalid: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  rate_limited: 429,
  too_many_waiting: 429,
  queue_full: 503,
  not_started: 503,
} as const;

/** Reason for which a request is not accepted. */
export type RefusalReason = keyof typeof STATUS;

/** A request that is not accepted. */
export class Refusal {
  readonly #reason: RefusalReason;
  readonly #message: string;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param reason - code in the response
   * @param message - failure and next step
   * @param headers - further headers of the response
   */
  constructor(
    reason: RefusalReason,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#reason = reason;
    this.#message = message;
    this.#headers = headers;
  }

  /** Returns the response to the request. */
  response(): Response {
    const error = { code: this.#reason, message: this.#message };
    return Response.json({ error }, { status: STATUS[this.#reason], headers: this.#headers });
  }
}
