import type { IncomingMessage, ServerResponse } from "node:http";
import type { FixedWindowRateLimiter } from "../../access/rate-limits.js";

/** Reason why the body of a request was not read. */
export type RequestBodyLimitCode =
  | "PAYLOAD_TOO_LARGE"
  | "REQUEST_BODY_TIMEOUT"
  | "CONNECTION_CLOSED";

const STATUS: Readonly<Record<RequestBodyLimitCode, number>> = {
  PAYLOAD_TOO_LARGE: 413,
  REQUEST_BODY_TIMEOUT: 408,
  CONNECTION_CLOSED: 400,
};

const TEXT: Readonly<Record<RequestBodyLimitCode, string>> = {
  PAYLOAD_TOO_LARGE: "Payload too large",
  REQUEST_BODY_TIMEOUT: "Request body timeout",
  CONNECTION_CLOSED: "Connection closed",
};

/**
 * Error of a body that is too large, too slow or not complete.
 * @deprecated Read the body of the request in the handler of the route.
 */
export class RequestBodyLimitError extends Error {
  readonly code: RequestBodyLimitCode;
  readonly statusCode: number;

  /** @param code - reason */
  constructor(code: RequestBodyLimitCode) {
    super(TEXT[code]);
    this.name = "RequestBodyLimitError";
    this.code = code;
    this.statusCode = STATUS[code];
  }
}

/**
 * Returns true for the error of a body that was not read.
 * @param code - its reason; any when absent
 * @deprecated Give the route a `bodyLimit`.
 */
export function isRequestBodyLimitError(
  error: unknown,
  code?: RequestBodyLimitCode,
): error is RequestBodyLimitError {
  return error instanceof RequestBodyLimitError && (code === undefined || error.code === code);
}

/**
 * Returns the answer to a request whose body was not read.
 * @param code - reason
 * @deprecated The gateway answers with status 413 or 408.
 */
export function requestBodyErrorToText(code: RequestBodyLimitCode): string {
  return TEXT[code];
}

/**
 * Reads the body of a request as text.
 * @param limits - maximum number of bytes, and time in milliseconds
 * @throws RequestBodyLimitError
 * @deprecated Read `request.text()` in a route in the style of Fetch.
 */
export function readRequestBodyWithLimit(
  request: IncomingMessage,
  limits: {
    readonly maxBytes: number;
    readonly timeoutMs?: number;
    readonly encoding?: BufferEncoding;
  },
): Promise<string> {
  const { maxBytes, timeoutMs = 30_000, encoding = "utf8" } = limits;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const end = (finish: () => void) => {
      clearTimeout(timer);
      request.off("data", take).off("end", complete).off("error", fail).off("close", closed);
      finish();
    };
    const refuse = (code: RequestBodyLimitCode) =>
      end(() => {
        request.resume();
        reject(new RequestBodyLimitError(code));
      });
    const take = (part: Buffer | string) => {
      const buffer = Buffer.from(part);
      bytes += buffer.byteLength;
      if (bytes > maxBytes) refuse("PAYLOAD_TOO_LARGE");
      else parts.push(buffer);
    };
    const complete = () => end(() => resolve(Buffer.concat(parts).toString(encoding)));
    const fail = (error: Error) => end(() => reject(error));
    const closed = () => refuse("CONNECTION_CLOSED");
    const timer = setTimeout(() => refuse("REQUEST_BODY_TIMEOUT"), timeoutMs);
    request.on("data", take).on("end", complete).on("error", fail).on("close", closed);
    const declared = Number(request.headers["content-length"]);
    if (Number.isFinite(declared) && declared > maxBytes) refuse("PAYLOAD_TOO_LARGE");
  });
}

/** Counts the requests that are handled at the same time, by key. */
export interface WebhookInFlightLimiter {
  /** Returns false when there are too many. */
  tryAcquire(key: string): boolean;
  release(key: string): void;
  size(): number;
  clear(): void;
}

/**
 * Creates a limit of the requests that are handled at the same time.
 * @param options - maximum number for a key
 * @deprecated The gateway limits requests.
 */
export function createWebhookInFlightLimiter(
  options: { readonly maxInFlightPerKey?: number; readonly maxTrackedKeys?: number } = {},
): WebhookInFlightLimiter {
  const { maxInFlightPerKey = 8 } = options;
  const running = new Map<string, number>();
  return {
    tryAcquire(key) {
      const count = running.get(key) ?? 0;
      if (count >= maxInFlightPerKey) return false;
      running.set(key, count + 1);
      return true;
    },
    release(key) {
      const count = (running.get(key) ?? 0) - 1;
      if (count > 0) running.set(key, count);
      else running.delete(key);
    },
    size: () => running.size,
    clear: () => running.clear(),
  };
}

/**
 * Checks a request before its body is read, and answers one that is rejected.
 * @param check - request, response, methods and limits
 * @returns the function to call when the request was handled; nothing for a rejected one
 * @deprecated Give the route `methods`; the gateway limits requests.
 */
export function beginWebhookRequestPipelineOrReject(check: {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly allowMethods?: readonly string[];
  readonly rateLimiter?: FixedWindowRateLimiter;
  readonly rateLimitKey?: string;
  readonly nowMs?: number;
  readonly requireJsonContentType?: boolean;
  readonly inFlightLimiter?: WebhookInFlightLimiter;
  readonly inFlightKey?: string;
  readonly inFlightLimitStatusCode?: number;
  readonly inFlightLimitMessage?: string;
}): { readonly ok: true; readonly release: () => void } | { readonly ok: false } {
  const { req, res, allowMethods = [], rateLimiter, rateLimitKey = "", inFlightLimiter } = check;
  const { inFlightKey = "" } = check;
  const refuse = (status: number, message: string) => {
    sendHttpRequestRejection(res, status, message);
    return { ok: false } as const;
  };
  if (allowMethods.length > 0 && !allowMethods.includes(req.method ?? "GET")) {
    res.setHeader("Allow", allowMethods.join(", "));
    return refuse(405, "Method Not Allowed");
  }
  if (rateLimiter?.isRateLimited(rateLimitKey, check.nowMs) === true) {
    return refuse(429, "Too Many Requests");
  }
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(req.headers["content-type"] ?? "");
  if (check.requireJsonContentType === true && req.method === "POST" && !isJson) {
    return refuse(415, "Unsupported Media Type");
  }
  if (inFlightLimiter?.tryAcquire(inFlightKey) === false) {
    const { inFlightLimitStatusCode = 429, inFlightLimitMessage = "Too Many Requests" } = check;
    return refuse(inFlightLimitStatusCode, inFlightLimitMessage);
  }
  let isReleased = false;
  const release = () => {
    if (!isReleased) inFlightLimiter?.release(inFlightKey);
    isReleased = true;
  };
  return { ok: true, release };
}

/**
 * Answers a request that is rejected.
 * @param status - HTTP status
 * @deprecated Return a `Response` from a route in the style of Fetch.
 */
export function sendHttpRequestRejection(
  response: ServerResponse,
  status: number,
  message: string,
): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.end(message);
}

/**
 * Runs work after the answer to a request, and reports its failure.
 * @param work - work, and receiver of its error
 * @deprecated The host runs messages of a `Channel` on its own.
 */
export function runDetachedWebhookWork(
  work: () => Promise<unknown>,
  onError: (error: unknown) => void = (error) => void process.stderr.write(`${String(error)}\n`),
): void {
  work().catch(onError);
}
