/** Message of every network error of `fetch`, which has the reason in its cause only. */
const FETCH_FAILED = "fetch failed";

/**
 * Returns the message of a thrown value of any type, including one without a text form. A network error of `fetch`
 * has its reason added.
 * @param error - caught value
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return textOf(error);
  const message = textOf(error.message);
  const reason = message === FETCH_FAILED ? reasonOf(error.cause) : "";
  return reason === "" ? message : `${message}: ${reason}`;
}

/** The error of a host with several addresses has no message, only a code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const message = textOf(cause.message);
  if (message !== "") return message;
  return "code" in cause ? textOf(cause.code) : "";
}

/**
 * Returns the text form of an untrusted value.
 * @param value - any value, including an object whose `toString` throws
 */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} without a text form`;
  }
}
