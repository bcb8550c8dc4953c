import {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  type ChannelError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { GrammyError, HttpError } from "grammy";

const NAME = "telegram";
/** Failures before a request left this machine, after which a repeat cannot send a message twice. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/;

/**
 * Returns a failure of a call as an error of the channel, which says whether a repeat can succeed.
 * @param error - thrown value of a call of the Bot API
 */
export function channelFailure(error: unknown): ChannelError {
  if (error instanceof GrammyError) return apiFailure(error);
  if (error instanceof HttpError) {
    const reason = reasonOf(error.error);
    const options = { cause: error, retryable: NOT_SENT.test(reason) };
    return new ChannelDisconnectedError(NAME, `the Bot API did not answer (${reason})`, options);
  }
  const problem = withoutToken(errorMessage(error));
  return new ChannelSendFailedError(NAME, problem, { cause: error });
}

function apiFailure(cause: GrammyError): ChannelError {
  const { error_code: status, description, parameters, method } = cause;
  const said = `${method} failed: ${description}`;
  if (status === 429) {
    const retryAfterMs = (parameters.retry_after ?? 1) * 1000;
    return new ChannelRateLimitedError(NAME, said, { cause, retryAfterMs });
  }
  if (status === 401 || status === 404) {
    const problem = `the bot token is not accepted (${description}); store a new one with \`openclaw channels add telegram --secret botToken\``;
    return new ChannelAuthFailedError(NAME, problem, { cause });
  }
  if (status === 409) {
    const problem = `another program receives the updates of this bot (${description}); stop it`;
    return new ChannelDisconnectedError(NAME, problem, { cause });
  }
  if (status >= 500) return new ChannelHttpError(NAME, status, said, { cause });
  return new ChannelSendFailedError(NAME, said, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? ` ${String(error.code)}` : "";
  return `${withoutToken(error.message)}${code}`;
}

/** The URLs of the Bot API contain the token. */
function withoutToken(text: string): string {
  return text.replaceAll(/\/bot\d+:[\w-]+/g, "/bot<token>");
}
