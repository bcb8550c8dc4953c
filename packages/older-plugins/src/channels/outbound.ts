import { isSection } from "@openclaw/messaging";
import {
  type AdapterChannel,
  ChannelSendFailedError,
  type OutgoingResponse,
  type SentMessage,
} from "@openclaw/plugin-sdk/channel-core";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { type AdapterMethod, adapterMethod } from "./method.js";
import { olderReply } from "./reply.js";
import { receiptOf, sendingError } from "./sending-error.js";

/** Message of the host to a conversation, without a message of the plugin that it answers. */
export interface OutboundMessage {
  readonly to: string;
  readonly accountId: string;
  readonly response: OutgoingResponse;
  readonly cfg: VisibleConfig;
}

/**
 * Sends a message through the adapters of a channel: text, then each file.
 * @param channel - channel of an older plugin
 * @param message - text, files and recipient
 * @throws ChannelError that says whether a repeat can succeed
 */
export async function sendOutbound(
  channel: AdapterChannel,
  { to, accountId, response, cfg }: OutboundMessage,
): Promise<SentMessage> {
  const send = senderOf(channel);
  if (send === undefined) {
    const problem = "its plugin sends replies only; the recipient must write first";
    throw new ChannelSendFailedError(channel.id, problem);
  }
  const { text = "", mediaUrls = [], replyToId } = olderReply(response);
  const sanitize = adapterMethod(channel, "outbound", "sanitizeText");
  const clean = sanitize?.({ text, payload: { text } });
  const place = {
    cfg,
    to: targetOf(channel, { to, cfg, accountId }),
    accountId,
    threadId: response.threadId,
    replyToId: response.replyToId ?? replyToId,
    silent: false,
    deps: {},
  };
  const words = typeof clean === "string" ? clean : text;
  try {
    let receipt: SentMessage = {};
    if (words !== "" && (mediaUrls.length === 0 || send.media === undefined)) {
      const links = send.media === undefined ? mediaUrls : [];
      receipt = receiptOf(
        channel.id,
        await send.text({ ...place, text: [words, ...links].join("\n") }),
      );
    }
    for (const [index, mediaUrl] of (send.media === undefined ? [] : mediaUrls).entries()) {
      const caption = index === 0 ? words : "";
      const sent = await send.media?.({ ...place, text: caption, mediaUrl });
      receipt = receiptOf(channel.id, sent);
    }
    return receipt;
  } catch (error) {
    throw sendingError(channel.id, error);
  }
}

interface OutboundSender {
  readonly text: AdapterMethod;
  readonly media: AdapterMethod | undefined;
}

function senderOf(channel: AdapterChannel): OutboundSender | undefined {
  const text = adapterMethod(channel, "outbound", "sendText");
  if (text !== undefined) return { text, media: adapterMethod(channel, "outbound", "sendMedia") };
  const newer = adapterMethod(channel, "message", "send", "text");
  if (newer !== undefined) {
    return { text: newer, media: adapterMethod(channel, "message", "send", "media") };
  }
  const payload = adapterMethod(channel, "outbound", "sendPayload");
  if (payload === undefined) return undefined;
  const send: AdapterMethod = (context) => {
    const { text: content, mediaUrl } = isSection(context) ? context : {};
    return payload({ ...objectOf(context), payload: { text: content, mediaUrl } });
  };
  return { text: send, media: send };
}

function targetOf(
  channel: AdapterChannel,
  { to, cfg, accountId }: Pick<OutboundMessage, "to" | "cfg" | "accountId">,
): string {
  const normal = adapterMethod(channel, "messaging", "normalizeTarget")?.(to);
  const target = typeof normal === "string" && normal !== "" ? normal : to;
  const resolved = adapterMethod(
    channel,
    "outbound",
    "resolveTarget",
  )?.({ to: target, cfg, accountId, mode: "explicit" });
  if (!isSection(resolved)) return target;
  if (resolved.ok === false) {
    const { error } = resolved;
    const reason = error instanceof Error ? error.message : `"${to}" is not a recipient`;
    throw new ChannelSendFailedError(channel.id, reason);
  }
  return typeof resolved.to === "string" ? resolved.to : target;
}

function objectOf(value: unknown): object {
  return isSection(value) ? value : {};
}
