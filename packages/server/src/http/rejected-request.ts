import type { OpenClawError } from "@openclaw/foundation";
import { InvalidHttpError, PayloadTooLargeError, RequestTimeoutError } from "../errors.js";

/** Response to a request that the HTTP parser rejected; without an error the connection has ended. */
export interface Rejection {
  readonly rejection: OpenClawError | undefined;
  readonly status?: number | undefined;
}

/**
 * Returns the response to a request that the HTTP parser rejected.
 * @param error - error of the parser or of the connection
 */
export function rejectionOf({ code = "", message }: NodeJS.ErrnoException): Rejection {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { rejection: new RequestTimeoutError(), status: 408 };
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const problem =
      "the header of the request is larger than 16 KiB; send fewer or shorter headers";
    return { rejection: new PayloadTooLargeError(problem), status: 431 };
  }
  if (!code.startsWith("HPE_")) return { rejection: undefined };
  return {
    rejection: new InvalidHttpError(`the request is not valid HTTP/1.1 (${message})`),
    status: 400,
  };
}
