import { ProviderReplyTooLargeError } from "../errors.js";

/** Largest reply of a provider, in bytes after decompression; 100,000 tokens of a stream are about a third. */
const MOST_REPLY_BYTES = 128 * 1024 * 1024;
/** Longest line of a reply, in bytes: an event of a stream holds at most one whole reply. */
const MOST_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Limits of a provider's reply, in bytes after decompression. */
export interface ReplyLimits {
  /** Maximum length of a line, which client libraries keep in memory until it ends; default 16 MiB. */
  readonly lineBytes?: number;
  /** Maximum length of the whole body; default 128 MiB. */
  readonly replyBytes?: number;
}

/**
 * Returns a `fetch` for the client library of a model provider. The body of a reply fails with
 * `ProviderReplyTooLargeError` where it exceeds a limit, and the connection is closed, so that a server
 * that never stops sending cannot use up the memory of the host.
 * @param limits - in bytes
 */
export function boundedFetch({
  lineBytes = MOST_LINE_BYTES,
  replyBytes = MOST_REPLY_BYTES,
}: ReplyLimits = {}): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const bounded = bodyWithin(body, { lineBytes, replyBytes });
    return new Response(bounded, { status, statusText, headers });
  };
}

/** Returns a body that fails where it exceeds a limit. A stream that only pulls costs less than a transformation. */
function bodyWithin(
  body: ReadableStream<Uint8Array>,
  { lineBytes, replyBytes }: Required<ReplyLimits>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let line = 0;
  let reply = 0;
  const count = (chunk: Uint8Array) => {
    reply += chunk.byteLength;
    if (reply > replyBytes) throw new ProviderReplyTooLargeError("reply", replyBytes);
    const end = chunk.indexOf(LINE_FEED);
    const longest = line + (end === -1 ? chunk.byteLength : end);
    line = end === -1 ? longest : chunk.byteLength - chunk.lastIndexOf(LINE_FEED) - 1;
    if (Math.max(longest, line) > lineBytes) {
      throw new ProviderReplyTooLargeError("line", lineBytes);
    }
  };
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        try {
          count(value);
        } catch (error) {
          // Closes the connection.
          reader.cancel(error).catch(() => undefined);
          throw error;
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
