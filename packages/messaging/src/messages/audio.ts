import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { InboundMessage } from "./inbound.js";

/**
 * Returns true for a message with audio.
 * @param message - message from a surface
 */
export function hasAudio({ attachments = [] }: Pick<InboundMessage, "attachments">): boolean {
  return attachments.some(isAudio);
}

/**
 * Returns true for audio.
 * @param attachment - attachment of a message
 */
export function isAudio({ mimeType }: AttachmentMeta): boolean {
  return mimeType.startsWith("audio/");
}
