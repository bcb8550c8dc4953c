import type { IncomingMessage } from "node:http";
import { PayloadTooLargeError } from "../errors.js";

/**
 * Limits a body without a declared size, which the code of a plugin reads itself (GW-039): what exceeds the limit does
 * not reach the plugin, and the request ends.
 * @param incoming - request
 * @param maximum - maximum size in bytes
 * @param refuse - sends the error
 */
export function limitStreamedBody(
  incoming: IncomingMessage,
  maximum: number,
  refuse: (error: PayloadTooLargeError) => void,
): void {
  const push = incoming.push.bind(incoming);
  let size = 0;
  // The parser gives each part to `push`; a listener would start to read before the plugin does.
  incoming.push = (part: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(part)) size += part.length;
    if (size <= maximum) return push(part, encoding);
    refuse(
      new PayloadTooLargeError(
        `the body is larger than ${maximum} bytes; send less, or raise gateway.limits.bodyBytes`,
      ),
    );
    incoming.pause();
    return false;
  };
}
