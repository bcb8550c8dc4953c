import {
  ChannelAuthFailedError,
  ChannelDisconnectedError,
  ChannelError,
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";

/** Failures of a connection that was not opened, so that the platform received nothing. */
const UNCONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "PROXY_CONNECTION_FAILED",
]);
const RATE_LIMITED = new Set(["RATE_LIMITED", "slack_webapi_rate_limited_error"]);
const NOT_ALLOWED = new Set([
  "invalid_auth",
  "not_authed",
  "token_revoked",
  "token_expired",
  "account_inactive",
]);
const BUSY = new Set(["service_unavailable", "team_added_to_org", "ratelimited"]);
/** Teams rejects a message while it handles another one of the conversation, and asks for a repeat. */
const CONFLICTING = 412;
/** Depth to which causes are read; a cause may refer to itself. */
const MAXIMUM_CAUSES = 5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a failure of an adapter as an error that says whether a repeat can succeed. A message is repeated only when
 * the platform certainly did not accept it.
 * @param error - error of the adapter
 * @param limitedMs - returns the time to wait in milliseconds when the platform limits the rate without stating a time
 */
export function channelFailure(
  channel: string,
  error: unknown,
  limitedMs?: () => number | undefined,
): ChannelError {
  if (ChannelError.isInstance(error)) return error;
  const chain = causesOf(error);
  const message = messageOf(error);
  const options = { cause: error };
  const code = first(chain, ({ code }) => textOf(code)) ?? "";
  const status = first(chain, ({ status, statusCode }) => numberOf(status) ?? numberOf(statusCode));
  const limited = chain.find(({ code }) => RATE_LIMITED.has(textOf(code) ?? ""));
  if (limited !== undefined || status === 429) {
    const seconds = first(
      chain,
      ({ retryAfter, message: text }) => numberOf(retryAfter) ?? secondsIn(textOf(text) ?? ""),
    );
    const retryAfterMs = seconds === undefined ? limitedMs?.() : seconds * 1000;
    return new ChannelRateLimitedError(channel, message, { ...options, retryAfterMs });
  }
  const reason = first(chain, ({ data }) => textOf(fieldsOf(data).error)) ?? "";
  if (code === "AUTH_FAILED" || NOT_ALLOWED.has(reason) || status === 401) {
    const problem = `the platform does not accept the credentials: ${message}; check the tokens of channels.${channel}`;
    return new ChannelAuthFailedError(channel, problem, options);
  }
  if (chain.some((each) => UNCONNECTED.has(textOf(each.code) ?? ""))) {
    return new ChannelDisconnectedError(
      channel,
      `the platform cannot be reached: ${message}`,
      options,
    );
  }
  if (status === CONFLICTING) {
    return new ChannelSendFailedError(channel, message, { ...options, retryable: true });
  }
  if (status !== undefined) return new ChannelHttpError(channel, status, message, options);
  return new ChannelSendFailedError(channel, message, { ...options, retryable: BUSY.has(reason) });
}

function causesOf(error: unknown): readonly Fields[] {
  const found: Fields[] = [];
  let next: unknown = error;
  while (typeof next === "object" && next !== null && found.length < MAXIMUM_CAUSES) {
    const fields = next as Fields;
    found.push(fields);
    next = fields.original ?? fields.originalError ?? fields.cause;
  }
  return found;
}

function first<Value>(chain: readonly Fields[], read: (fields: Fields) => Value | undefined) {
  for (const fields of chain) {
    const value = read(fields);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Some adapters keep the waiting time only in the body that they quote. */
function secondsIn(text: string): number | undefined {
  const [, seconds] = /"retry_after":\s*(\d+(?:\.\d+)?)/.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

function messageOf(error: unknown): string {
  const message = errorMessage(error);
  if (message === "") return "the adapter failed without a message";
  const reason = textOf(causesOf(error)[1]?.message) ?? "";
  // `fetch` has its reason in the cause only.
  return message === "fetch failed" && reason !== "" ? `${message}: ${reason}` : message;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
