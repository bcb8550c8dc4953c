import { defined } from "@openclaw/foundation";
import type { OlderReply, OutgoingResponse } from "@openclaw/plugin-sdk/channel-core";

/**
 * Returns a message of the host in the form of older plugins.
 * @param response - text and attachments
 * @param prefix - text before each reply
 */
export function olderReply(response: OutgoingResponse, prefix = ""): OlderReply {
  const { content, attachments = [], replyToId } = response;
  const media = attachments.flatMap(({ path, url }) => path ?? url ?? []);
  const text = prefix === "" || content === "" ? content : `${prefix} ${content}`;
  return defined({
    text,
    mediaUrl: media[0],
    mediaUrls: media.length === 0 ? undefined : media,
    replyToId,
  });
}
