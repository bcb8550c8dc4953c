/** Fields of {@link GraphError} besides its text. */
export interface GraphErrorFields {
  readonly status?: number;
  readonly code?: number;
  /** Description of the problem. */
  readonly details?: string;
  readonly subcode?: number;
}

/** Rejection of a request, as the Graph API reports it. */
export class GraphError extends Error {
  readonly status: number;
  readonly code: number;
  readonly #details: string | undefined;
  readonly #subcode: number | undefined;

  /**
   * @param message - text with the code and its title
   * @param fields - status, code and details
   */
  constructor(
    message: string,
    { status = 400, code = 100, details, subcode }: GraphErrorFields = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.#details = details;
    this.#subcode = subcode;
  }

  /** Body of the response. */
  get body(): object {
    const { message, code } = this;
    const details = this.#details;
    return {
      error: {
        ...{ message, type: "OAuthException", code },
        ...(this.#subcode === undefined ? {} : { error_subcode: this.#subcode }),
        ...(details === undefined
          ? {}
          : { error_data: { messaging_product: "whatsapp", details } }),
        fbtrace_id: "trace",
      },
    };
  }
}

// Codes of https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes

/** Returns the error of a parameter that is missing. */
export function missing(parameter: string): GraphError {
  const details = `Parameter '${parameter}' is mandatory`;
  return new GraphError("(#131008) Required parameter is missing", { code: 131008, details });
}

/**
 * Returns the error of a value that is not accepted.
 * @param details - description of the problem
 */
export function invalidValue(details: string): GraphError {
  return new GraphError("(#131009) Parameter value is not valid", { code: 131009, details });
}

/**
 * Returns the error of a text that is longer than it may be.
 * @param maximum - its greatest length
 */
export function tooLong(parameter: string, maximum: number): GraphError {
  return new GraphError(`(#100) Param ${parameter} must be at most ${maximum} characters long.`);
}

/**
 * Returns the error of a file that is not accepted.
 * @param details - description of the problem
 */
export function mediaError(details: string): GraphError {
  return new GraphError("(#131053) Media upload error", { code: 131053, details });
}

/** Returns the error of too many messages to one person, which has no time to wait. */
export function pairLimited(): GraphError {
  const details =
    "Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.";
  const title = "(#131056) (Business Account, Consumer Account) pair rate limit hit";
  return new GraphError(title, { code: 131056, details });
}
