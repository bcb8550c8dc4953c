/** Bytes of an error that are read. */
const ERROR_BYTES = 8 * 1024;
/** Bytes of a JSON document that are read. */
const JSON_BYTES = 16 * 1024 * 1024;

/**
 * Error of a provider that did not answer with success.
 * @deprecated Throw an error of your own.
 */
export class ProviderHttpError extends Error {
  override readonly name = "ProviderHttpError";

  /**
   * @param message - label, status and message of the provider
   * @param status - HTTP status
   */
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }

  /** HTTP status, under its other name. */
  get statusCode(): number {
    return this.status;
  }
}

/**
 * Throws for a response without success.
 * @param response - response of a provider
 * @param label - beginning of the message
 * @throws ProviderHttpError with the status and the message of the provider
 * @deprecated Check `response.ok`.
 */
export async function assertOkOrThrowProviderError(
  response: Response,
  label: string,
): Promise<void> {
  if (response.ok) return;
  const text = await readResponseTextLimited(response, ERROR_BYTES).catch(() => "");
  const message = messageIn(text) || response.statusText;
  const detail = message === "" ? "" : `: ${message}`;
  throw new ProviderHttpError(`${label} (${response.status})${detail}`, response.status);
}

/**
 * Throws for a response without success.
 * @param label - beginning of the message
 * @throws ProviderHttpError
 * @deprecated Check `response.ok`.
 */
export async function assertOkOrThrowHttpError(response: Response, label: string): Promise<void> {
  await assertOkOrThrowProviderError(response, label);
}

/**
 * Reads a response as JSON, at most 16 MiB.
 * @param response - response of a provider
 * @param label - beginning of the message
 * @throws Error when it is not JSON
 * @deprecated Use `response.json()`.
 */
export async function readProviderJsonResponse<Value = unknown>(
  response: Response,
  label: string,
): Promise<Value> {
  const text = await readResponseTextLimited(response, JSON_BYTES);
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new Error(`${label}: the answer is not JSON`, { cause });
  }
}

/**
 * Reads the beginning of a response as text.
 * @param maxBytes - number of bytes to read; 16 KiB when absent
 * @deprecated Use `response.text()`.
 */
export async function readResponseTextLimited(
  response: Response,
  maxBytes = 16 * 1024,
): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = maxBytes; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
  }
  await reader.cancel();
  return text;
}

function messageIn(text: string): string {
  try {
    const found: unknown = JSON.parse(text);
    return messageOf(found) ?? text.trim();
  } catch {
    return text.trim();
  }
}

function messageOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const fields = ["error", "message", "detail", "error_description"];
  for (const name of fields) {
    const message = messageOf(Reflect.get(value, name));
    if (message !== undefined) return message;
  }
  return undefined;
}
