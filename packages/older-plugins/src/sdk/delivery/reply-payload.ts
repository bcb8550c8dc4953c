/** Reply of the host. */
export interface OutboundReplyPayload {
  readonly text?: string;
  readonly mediaUrl?: string;
  readonly mediaUrls?: readonly string[];
  readonly replyToId?: string;
}

/**
 * Returns the files of a reply.
 * @deprecated Read `attachments` in `respond` of a `Channel`.
 */
export function resolvePayloadMediaUrls(payload: OutboundReplyPayload): string[] {
  const { mediaUrl, mediaUrls = [] } = payload;
  const all = [...mediaUrls, ...(mediaUrl === undefined ? [] : [mediaUrl])];
  return [...new Set(all.filter((url) => url.trim() !== ""))];
}

/**
 * Returns the number of files of a reply.
 * @deprecated Read `attachments` in `respond` of a `Channel`.
 */
export function countOutboundMedia(payload: OutboundReplyPayload): number {
  return resolvePayloadMediaUrls(payload).length;
}

/** Parts of a reply that can be sent. */
export interface SendableReplyParts {
  readonly text: string;
  readonly trimmedText: string;
  readonly mediaUrls: string[];
  readonly mediaCount: number;
  readonly hasText: boolean;
  readonly hasMedia: boolean;
  readonly hasContent: boolean;
}

/**
 * Returns the parts of a reply that can be sent.
 * @param payload - the reply
 * @param options - text that replaces the one of the reply
 * @deprecated Read `content` and `attachments` in `respond` of a `Channel`.
 */
export function resolveSendableOutboundReplyParts(
  payload: OutboundReplyPayload,
  options: { readonly text?: string } = {},
): SendableReplyParts {
  const text = options.text ?? payload.text ?? "";
  const trimmedText = text.trim();
  const mediaUrls = resolvePayloadMediaUrls(payload);
  const [hasText, hasMedia] = [trimmedText !== "", mediaUrls.length > 0];
  const mediaCount = mediaUrls.length;
  return {
    text,
    trimmedText,
    mediaUrls,
    mediaCount,
    hasText,
    hasMedia,
    hasContent: hasText || hasMedia,
  };
}

/**
 * Sends a reply as one text, with the addresses of its files below.
 * @param delivery - reply, and the function that sends
 * @returns false for an empty reply
 * @deprecated Implement `respond` of `Channel`.
 */
export async function deliverFormattedTextWithAttachments(delivery: {
  readonly payload: OutboundReplyPayload;
  readonly send: (message: { text: string; replyToId?: string }) => Promise<void>;
}): Promise<boolean> {
  const { payload, send } = delivery;
  const files = resolvePayloadMediaUrls(payload).map((url) => `Attachment: ${url}`);
  const text = [payload.text?.trim() ?? "", files.join("\n")].filter(Boolean).join("\n\n");
  if (text === "") return false;
  const { replyToId } = payload;
  await send(replyToId === undefined ? { text } : { text, replyToId });
  return true;
}

/**
 * Sends a reply: its text, or its files with the text as the caption of the first one.
 * @param delivery - reply, text, and the functions that send
 * @returns the kind of the sent message
 * @deprecated Implement `respond` of `Channel`.
 */
export async function deliverTextOrMediaReply(delivery: {
  readonly payload: OutboundReplyPayload;
  readonly text: string;
  readonly chunkText?: (text: string) => readonly string[];
  readonly sendText: (text: string) => Promise<void>;
  readonly sendMedia: (media: { mediaUrl: string; caption?: string }) => Promise<void>;
}): Promise<"empty" | "text" | "media"> {
  const { payload, text, chunkText = (whole) => [whole], sendText, sendMedia } = delivery;
  const files = resolvePayloadMediaUrls(payload);
  for (const [index, mediaUrl] of files.entries()) {
    await sendMedia(index === 0 && text !== "" ? { mediaUrl, caption: text } : { mediaUrl });
  }
  if (files.length > 0) return "media";
  if (text.trim() === "") return "empty";
  for (const part of chunkText(text)) await sendText(part);
  return "text";
}
