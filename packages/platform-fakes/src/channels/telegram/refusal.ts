/** Error of the Bot API. */
export class TelegramRefusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, unknown>>;

  /**
   * @param status - HTTP status
   * @param description - description as the Bot API gives it
   * @param parameters - fields that tell how to handle the error
   */
  constructor(
    status: number,
    description: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }

  /** Body of the response. */
  get body(): object {
    const { status, message: description, parameters } = this;
    const more = Object.keys(parameters).length === 0 ? {} : { parameters };
    return { ok: false, error_code: status, description, ...more };
  }
}

/**
 * Returns the error of a request that is not valid.
 * @param reason - description without its beginning
 */
export function badRequest(reason: string): TelegramRefusal {
  return new TelegramRefusal(400, `Bad Request: ${reason}`);
}
