/** Errors of the fields of a request, as Discord nests them. */
interface FieldErrors {
  readonly [field: string]:
    | FieldErrors
    | readonly { readonly code: string; readonly message: string }[];
}

/** Rejection of a request, as the REST API reports it. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly #errors: FieldErrors | undefined;

  /**
   * @param status - HTTP status
   * @param code - JSON error code
   * @param errors - errors of the fields of the request
   */
  constructor(status: number, code: number, message: string, errors?: FieldErrors) {
    super(message);
    this.status = status;
    this.code = code;
    this.#errors = errors;
  }

  /** Body of the response. */
  get body(): object {
    const { message, code } = this;
    return { message, code, ...(this.#errors === undefined ? {} : { errors: this.#errors }) };
  }
}

/**
 * Returns the error of a field, see https://docs.discord.com/developers/reference#error-messages.
 * @param path - field of the request, with the numbers of entries
 * @param code - for example `BASE_TYPE_MAX_LENGTH`
 */
export function invalidField(
  path: readonly (string | number)[],
  code: string,
  message: string,
): DiscordRefusal {
  const errors = path.reduceRight<FieldErrors>((inner, field) => ({ [field]: inner }), {
    _errors: [{ code, message }],
  });
  return new DiscordRefusal(400, 50035, "Invalid Form Body", errors);
}

/**
 * Returns the error of a field that is longer than it may be.
 * @param path - field of the request
 * @param maximum - its greatest length
 */
export function tooLong(path: readonly (string | number)[], maximum: number): DiscordRefusal {
  return invalidField(path, "BASE_TYPE_MAX_LENGTH", `Must be ${maximum} or fewer in length.`);
}

/**
 * Returns the error of a field with a length outside a range.
 * @param path - field of the request
 * @param maximum - its greatest length; the least is 1
 */
export function badLength(path: readonly (string | number)[], maximum: number): DiscordRefusal {
  return invalidField(path, "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${maximum} in length.`);
}

/**
 * Returns the error of a field that the request lacks.
 * @param path - field of the request
 */
export function missingField(path: readonly (string | number)[]): DiscordRefusal {
  return invalidField(path, "BASE_TYPE_REQUIRED", "This field is required");
}
