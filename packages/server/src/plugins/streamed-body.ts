import type { IncomingMessage } from "node:http";
import { MAXIMUM_BODY_BYTES } from "../http/body-limit.js";
import type { OpenAiFailure } from "../openai/error.js";

/**
 * Limits a body without a declared size, which the code of a plugin reads itself (GW-039): what exceeds the limit does
 * not reach the plugin, and the request ends.
 * @param incoming - request
 * @param refuse - sends the error
 */
export function limitStreamedBody(
  incoming: IncomingMessage,
  refuse: (failure: OpenAiFailure) => void,
): void {
  const push = incoming.push.bind(incoming);
  let size = 0;
  // The parser gives each part to `push`; a listener would start to read before the plugin does.
  incoming.push = (part: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(part)) size += part.length;
    if (size <= MAXIMUM_BODY_BYTES) return push(part, encoding);
    refuse({
      status: 413,
      type: "invalid_request_error",
      code: "body_too_large",
      message: `the body is larger than ${MAXIMUM_BODY_BYTES} bytes`,
    });
    incoming.pause();
    return false;
  };
}
