import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { Capabilities, ChannelCapability } from "../capabilities/capabilities.js";
import { isWorkspacePath } from "../capabilities/names.js";
import type { ComponentWorld } from "../component/world.js";
import type { ComponentLimits } from "../limits.js";
import type { HostFunctions } from "../worker/pool.js";
import { answering, GuestError, type GuestPorts, guestFunctions } from "./guest-functions.js";

/** File that a channel received. */
export interface EmittedAttachment {
  readonly id: string;
  readonly mimeType: string;
  readonly name: string | undefined;
  /** Place of the file at the platform. */
  readonly url: string | undefined;
  /** Content that the channel stored in the same callback. */
  readonly data: Uint8Array | undefined;
}

/** Message that a channel emitted (WASM-036). */
export interface EmittedMessage {
  readonly userId: string;
  readonly userName: string | undefined;
  readonly content: string;
  readonly threadId: string | undefined;
  /** Text as the component wrote it, which its `on-respond` receives again. */
  readonly metadataJson: string;
  readonly attachments: readonly EmittedAttachment[];
}

/** Senders whom the operator admits to a channel. */
export interface ChannelPairingPort {
  request(
    senderId: string,
    userName?: string,
  ): Promise<{ readonly code: string; readonly created: boolean }>;
  isPaired(senderId: string): boolean;
  senders(): readonly string[];
}

/** Ports of the functions of a host for one callback of a channel. */
export interface ChannelHostPorts extends GuestPorts {
  /**
   * Writes a file of the channel.
   * @throws an error whose message is for the component
   */
  writeWorkspace(path: string, content: string): Promise<void>;
  /** Senders of the channel; undefined on a host without pairing. */
  readonly pairing: ChannelPairingPort | undefined;
  /** Counts a message, and returns false when there are too many. */
  mayEmit(): boolean;
}

/** Functions of a host for one callback, and what the channel emitted with them. */
export interface ChannelHost {
  readonly functions: HostFunctions;
  readonly emitted: readonly EmittedMessage[];
  /** Messages that were too large or too many. */
  readonly dropped: number;
}

/** Largest stored attachment, and largest total of a callback, in bytes. */
const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
const MAX_ATTACHMENTS_BYTES = 50 * 1024 * 1024;

/**
 * Returns the functions of a host for one callback of a channel (WASM-004, WASM-036, WASM-039).
 * @param capabilities - permissions of the component
 * @param channel - permissions of a channel
 * @param ports - services of the host
 * @param limits - limits of the callback
 */
export function channelHost(
  world: ComponentWorld,
  capabilities: Capabilities,
  channel: ChannelCapability,
  ports: ChannelHostPorts,
  limits: ComponentLimits,
): ChannelHost {
  const emitted: EmittedMessage[] = [];
  const stored = new Map<string, Uint8Array>();
  let dropped = 0;
  const pairing = () => {
    if (ports.pairing === undefined) throw new GuestError("this host has no pairing");
    return ports.pairing;
  };
  const functions = {
    ...guestFunctions(capabilities, ports, limits.httpRequests),
    async workspaceRead(path: unknown) {
      const name = String(path);
      return isWorkspacePath(name) ? await ports.readWorkspace(name) : undefined;
    },
    async workspaceWrite(path: unknown, content: unknown) {
      const name = String(path);
      if (!isWorkspacePath(name))
        throw new GuestError(`the path ${name.slice(0, 64)} is not allowed`);
      await ports.writeWorkspace(name, String(content));
    },
    async emitMessage(value: unknown) {
      const message = emittedMessage(value, stored);
      const isTooLarge = [message.content, message.metadataJson].some(
        (part) => Buffer.byteLength(part) > channel.maxMessageBytes,
      );
      if (isTooLarge || emitted.length >= limits.emittedMessages || !ports.mayEmit()) dropped += 1;
      else emitted.push(message);
    },
    async storeAttachmentData(id: unknown, data: unknown) {
      const bytes = data instanceof Uint8Array ? data : new Uint8Array();
      const total = [...stored.values()].reduce((sum, { length }) => sum + length, bytes.length);
      if (bytes.length > MAX_ATTACHMENT_BYTES || total > MAX_ATTACHMENTS_BYTES) {
        throw new GuestError("an attachment may have 20 MiB, and those of a callback 50 MiB");
      }
      stored.set(String(id), bytes);
    },
    async websocketSendText() {
      throw new GuestError("this host opens no WebSocket for channels");
    },
    // The name that a component passes is that of its file, which the operator may have changed.
    async pairingUpsertRequest(_channel: unknown, id: unknown, meta: unknown) {
      return await pairing().request(String(id), nameIn(String(meta)));
    },
    async pairingIsAllowed(_channel: unknown, id: unknown) {
      return pairing().isPaired(String(id));
    },
    async pairingResolveIdentity(_channel: unknown, id: unknown) {
      return pairing().isPaired(String(id)) ? String(id) : undefined;
    },
    async pairingReadAllowFrom() {
      return [...pairing().senders()];
    },
  };
  return {
    functions: answering(world, functions, (level, message) => ports.log(level, message)),
    emitted,
    get dropped() {
      return dropped;
    },
  };
}

function emittedMessage(value: unknown, stored: ReadonlyMap<string, Uint8Array>): EmittedMessage {
  const message = isRecord(value) ? value : {};
  const attachments = Array.isArray(message.attachments) ? message.attachments : [];
  return {
    userId: String(message.userId),
    userName: text(message.userName),
    content: String(message.content),
    threadId: text(message.threadId),
    metadataJson: String(message.metadataJson ?? ""),
    attachments: attachments.filter(isRecord).map((attachment) => ({
      id: String(attachment.id),
      mimeType: String(attachment.mimeType),
      name: text(attachment.filename),
      url: text(attachment.sourceUrl),
      data: stored.get(String(attachment.id)),
    })),
  };
}

/** Returns the name of a sender in the JSON that components pass with a request to be admitted. */
function nameIn(meta: string): string | undefined {
  try {
    const value: unknown = JSON.parse(meta);
    const fields = isRecord(value) ? value : {};
    return ["username", "user_name", "name", "first_name"]
      .map((key) => fields[key])
      .find((name): name is string => typeof name === "string" && name !== "");
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
