import {
  ChannelHttpError,
  ChannelRateLimitedError,
  ChannelSendFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { CHANNEL } from "./settings.js";
import { signatureOf, untimedSignatureOf } from "./signature.js";

const PATIENCE_MS = 15_000;

/** Reply that is posted to the callback URL. */
export interface CallbackBody {
  /** ID of the message that it answers; absent for a message that is not a reply. */
  readonly message_id?: string;
  readonly user_id: string;
  readonly thread_id?: string;
  readonly response: string;
}

/** Receiver of replies. */
export interface CallbackReceiver {
  readonly url: URL;
  readonly secret: string;
  /** True when the callback also has a signature of its body alone. */
  readonly untimed: boolean;
  /** Sends a request through the network check of the host. */
  fetch(url: URL, init: RequestInit): Promise<Response>;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Posts a reply, signed like a request to the channel.
 * @param receiver - URL and secret
 * @param body - reply
 * @param deliveryId - the same for every attempt
 * @throws ChannelError that says whether a repeat can succeed
 */
export async function postReply(
  { url, secret, untimed, fetch, now }: CallbackReceiver,
  body: CallbackBody,
  deliveryId: string,
): Promise<void> {
  const text = JSON.stringify({ ...body, delivery_id: deliveryId });
  const timestamp = String(Math.floor(now() / 1000));
  const headers = {
    "content-type": "application/json",
    "idempotency-key": deliveryId,
    "x-openclaw-timestamp": timestamp,
    "x-openclaw-signature": signatureOf(secret, text, { timestamp, id: deliveryId }),
    ...(untimed ? { "x-signature": untimedSignatureOf(secret, text) } : {}),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body: text, redirect: "error", signal });
  } catch (error) {
    const isDenied = error instanceof Error && "code" in error && error.code === "NETWORK_DENIED";
    const reason = errorMessage(error);
    throw new ChannelSendFailedError(CHANNEL, `the callback to ${url.host} failed: ${reason}`, {
      cause: error,
      retryable: !isDenied,
    });
  }
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  const problem = `${url.host} answered the callback with HTTP ${status}; check channels.http.callbackUrl`;
  if (status !== 429) throw new ChannelHttpError(CHANNEL, status, problem);
  const seconds = Number(response.headers.get("retry-after"));
  const asked = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  throw new ChannelRateLimitedError(CHANNEL, problem, asked);
}
