import { createHash, randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import {
  type AttachmentMeta,
  type ChannelContext,
  ChannelSendFailedError,
  type IncomingMessage,
  type OutgoingResponse,
} from "@openclaw/plugin-sdk/channel-core";
import { isRecord } from "@openclaw/plugin-sdk/kit";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import type { EmittedAttachment, EmittedMessage } from "@openclaw/wasm-host";

/** Name of the field for metadata that is not a JSON object. */
const RAW = "wasmMetadata";
/** Largest file that a reply hands to a component, in bytes. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/**
 * Returns a message of a channel in the form of the host (WASM-036).
 * @param message - message of the component
 * @param context - stores attachments
 */
export async function incomingOf(
  channel: string,
  message: EmittedMessage,
  { saveAttachment, accountId }: Pick<ChannelContext, "saveAttachment" | "accountId">,
): Promise<IncomingMessage> {
  const attachments: AttachmentMeta[] = [];
  for (const attachment of message.attachments) {
    attachments.push(await attachmentOf(attachment, saveAttachment));
  }
  const { userId, userName, content, threadId, metadataJson } = message;
  return {
    ...{ id: randomUUID(), channel, accountId, userId, content, receivedAt: new Date() },
    ...defined({ userName, threadId, metadata: metadataOf(metadataJson) }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/**
 * Returns the metadata of a message as the text that a component receives with the reply (WASM-037).
 * @param metadata - stored metadata
 */
export function metadataText(metadata: unknown): string {
  const stored = isRecord(metadata) ? metadata : {};
  const raw = stored[RAW];
  return typeof raw === "string" ? raw : JSON.stringify(stored);
}

/**
 * Returns a reply in the form of a component.
 * @param channel - name of the channel, for errors
 * @param response - the reply
 * @param about - ID of the message that it answers, and the metadata of that message
 * @throws ChannelSendFailedError for an attachment that cannot be read
 */
export async function agentResponse(
  channel: string,
  { content, threadId, attachments = [] }: OutgoingResponse,
  about: { readonly messageId: string; readonly metadataJson: string },
): Promise<object> {
  const files = await Promise.all(attachments.map((file) => fileOf(channel, file)));
  return { ...about, content, threadId, attachments: files };
}

/** Remembers the last conversation of each user, for messages that answer none. */
export class LastConversations {
  readonly #store: () => PluginKeyValueStore;
  readonly #channel: string;

  /** @param store - storage of the plugin */
  constructor(store: () => PluginKeyValueStore, channel: string) {
    this.#store = store;
    this.#channel = channel;
  }

  /** Keeps the metadata of the newest message of a user. */
  async note({ userId, metadataJson }: EmittedMessage): Promise<void> {
    const key = this.#key(userId);
    const store = this.#store();
    if ((await store.get(key)) !== metadataJson) await store.set(key, metadataJson);
  }

  /** Returns the metadata of the newest message of a user; undefined for a user who never wrote. */
  async of(userId: string): Promise<string | undefined> {
    const value = await this.#store().get(this.#key(userId));
    return typeof value === "string" ? value : undefined;
  }

  #key(userId: string): string {
    return `channel/${this.#channel}/${createHash("sha256").update(userId).digest("hex")}`;
  }
}

async function attachmentOf(
  { mimeType, name, url, data }: EmittedAttachment,
  save: ChannelContext["saveAttachment"],
): Promise<AttachmentMeta> {
  if (data === undefined) return { mimeType, bytes: 0, ...defined({ name, url }) };
  return await save({ mimeType, content: data, ...defined({ name }) });
}

function metadataOf(text: string): IncomingMessage["metadata"] {
  try {
    const value: unknown = JSON.parse(text);
    // What was parsed from JSON is JSON.
    if (isRecord(value)) return value as IncomingMessage["metadata"];
  } catch {
    // Kept as the text that it is.
  }
  return text === "" ? undefined : { [RAW]: text };
}

async function fileOf(channel: string, { name, mimeType, path }: AttachmentMeta): Promise<object> {
  const filename = name ?? "file";
  if (path === undefined || (await stat(path)).size > MAX_FILE_BYTES) {
    throw new ChannelSendFailedError(
      channel,
      `the attachment ${filename} is not a file of at most ${MAX_FILE_BYTES} bytes; send a link instead`,
    );
  }
  return { filename, mimeType, data: new Uint8Array(await readFile(path)) };
}
