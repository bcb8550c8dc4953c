/** What is known of a file that came with a message. */
export interface AttachmentMeta {
  name?: string;
  mimeType: string;
  bytes: number;
  path?: string;
  url?: string;
}

/** A reply as it goes to a channel. */
export interface ReplyPayload {
  text?: string;
  attachments?: AttachmentMeta[];
  /** Message on the channel that this one answers. */
  replyToId?: string;
}

/** A conversation on a channel. */
export interface Origin {
  channel?: string;
  accountId?: string;
  to?: string;
  threadId?: string | number;
}
