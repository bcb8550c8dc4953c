import { errorMessage } from "@openclaw/foundation";
import { isSection } from "@openclaw/messaging";
import {
  ChannelDisconnectedError,
  ChannelError,
  ChannelHttpError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";

/** Failures before anything was sent, so that a repeat cannot show a message twice. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/**
 * Returns the error of a plugin that could not send a message as one that says whether a repeat can succeed.
 * @param error - error of the plugin
 */
export function sendingError(channel: string, error: unknown): ChannelError {
  if (ChannelError.isInstance(error)) return error;
  const problem = `its plugin did not send a message: ${errorMessage(error)}`;
  for (let at: unknown = error, depth = 0; isSection(at) && depth < 5; at = at.cause, depth += 1) {
    if (NOT_SENT.has(at.code))
      return new ChannelDisconnectedError(channel, problem, { cause: error });
    const status = at.status ?? at.statusCode;
    if (typeof status === "number" && status >= 400 && status < 600) {
      return new ChannelHttpError(channel, status, problem, { cause: error });
    }
  }
  return new ChannelSendFailedError(channel, problem, { cause: error });
}

/**
 * Checks the result of a plugin's function that sends.
 * @param result - result of the plugin
 * @returns the receipt, if the plugin gives one
 * @throws ChannelSendFailedError when the plugin reports that nothing was sent
 */
export function receiptOf(channel: string, result: unknown): { readonly messageId?: string } {
  if (!isSection(result)) return {};
  const isRefused =
    result.ok === false || result.sent === false || result.visibleReplySent === false;
  if (isRefused) {
    const reason = typeof result.error === "string" ? `: ${result.error}` : "";
    throw new ChannelSendFailedError(channel, `its plugin did not send a message${reason}`);
  }
  const { messageId, messageIds, receipt } = result;
  const ids = [
    messageId,
    ...(Array.isArray(messageIds) ? messageIds : []),
    isSection(receipt) ? receipt.primaryPlatformMessageId : undefined,
  ];
  const found = ids.find((id) => (typeof id === "string" && id !== "") || typeof id === "number");
  return found === undefined ? {} : { messageId: String(found) };
}
