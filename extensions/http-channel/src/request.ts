import { Refusal } from "./refusal.js";

const MAXIMUM_BODY = 64 * 1024;
const MAXIMUM_CONTENT = 32 * 1024;
const MAXIMUM_ID = 256;

/** Body of a request, as it was sent and as JSON. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  /** Undefined when the body is not a JSON object. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** Message of a request. */
export interface HttpMessage {
  readonly content: string;
  readonly threadId: string | undefined;
  /** True when the response has the reply. */
  readonly waits: boolean;
  /** Key that a repeat of the request has, too. */
  readonly key: string | undefined;
}

/**
 * Reads the body of a request, at most 64 KiB (CHAN-025).
 * @param request - request whose body was not read yet
 */
export async function readBody(request: Request): Promise<RequestBody | Refusal> {
  const chunks: Uint8Array[] = [];
  let size = Number(request.headers.get("content-length") ?? 0);
  if (size <= MAXIMUM_BODY) {
    size = 0;
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAXIMUM_BODY) break;
      chunks.push(chunk);
    }
  }
  if (size > MAXIMUM_BODY) {
    return new Refusal("too_large", `the body is larger than ${MAXIMUM_BODY} bytes; send less`, {
      connection: "close",
    });
  }
  const bytes = Buffer.concat(chunks);
  return { bytes, fields: objectIn(bytes) };
}

/**
 * Reads the message of an authenticated request.
 * @param body - body of the request
 * @param key - header `Idempotency-Key`
 */
export function readMessage({ fields }: RequestBody, key: string | null): HttpMessage | Refusal {
  if (fields === undefined) {
    return invalid('the body is not a JSON object; send for example {"content": "hi"}');
  }
  const { content, thread_id, wait_for_response = false } = fields;
  if (typeof content !== "string" || content.trim() === "") {
    return invalid("content must be a text that is not empty");
  }
  if (Buffer.byteLength(content) > MAXIMUM_CONTENT) {
    const problem = `content is larger than ${MAXIMUM_CONTENT} bytes; send it in several messages`;
    return new Refusal("too_large", problem);
  }
  if (typeof wait_for_response !== "boolean") {
    return invalid("wait_for_response must be true or false");
  }
  const thread = thread_id === null ? undefined : thread_id;
  if (thread !== undefined && !isId(thread)) {
    return invalid(
      `thread_id must be a text of 1 to ${MAXIMUM_ID} characters, without line breaks, control characters and marks of direction`,
    );
  }
  if (key !== null && !isId(key)) {
    return invalid(
      `Idempotency-Key must have 1 to ${MAXIMUM_ID} characters, none of them a control character`,
    );
  }
  return { content, threadId: thread, waits: wait_for_response, key: key ?? undefined };
}

function invalid(message: string): Refusal {
  return new Refusal("invalid", message);
}

/** Characters that the host accepts in no ID: they would end lines of the log, cut a text, or show it as another one. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;

function isId(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.length > MAXIMUM_ID) return false;
  return value.isWellFormed() && !CONTROL.test(value);
}

function objectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
