/** Metadata of a file attached to a message. */
export interface AttachmentMeta {
  name?: string;
  mimeType: string;
  bytes: number;
  path?: string;
  url?: string;
}

/** Reply for a channel. */
export interface ReplyPayload {
  text?: string;
  attachments?: AttachmentMeta[];
  /** Id of the message on the channel that this reply answers. */
  replyToId?: string;
}

/** Conversation on a channel. */
export interface Origin {
  channel?: string;
  accountId?: string;
  to?: string;
  threadId?: string | number;
}
