import {
  DeadlineExceededError,
  defined,
  type Timers,
  wellFormed,
  withDeadline,
} from "@openclaw/foundation";
import {
  type Channel,
  ChannelDisconnectedError,
  ChannelSendFailedError,
  type IncomingMessage,
  type OutgoingResponse,
  type SentMessage,
} from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { DeliveryTarget } from "@openclaw/store";
import type { ReplySurface, SurfaceDelivery, SurfaceMessage } from "../messages/inbound.js";
import type { ChannelAccount } from "./account.js";

/** Time that a channel has to send a message, in milliseconds. */
const SEND_MS = 30_000;

/** Dependencies of {@link ChannelSurface}. */
export interface ChannelSurfaceDependencies {
  /** Returns the account that runs now; a reload of plugins or configuration replaces it. */
  account(): ChannelAccount | undefined;
  /** Returns the message to reply to; undefined for a message that is not a reply. */
  message(): Promise<IncomingMessage | undefined>;
  readonly timers: Timers;
}

/** Sends the messages of the host to one conversation of a channel. */
export class ChannelSurface implements ReplySurface {
  readonly #target: DeliveryTarget;
  readonly #dependencies: ChannelSurfaceDependencies;

  /**
   * @param target - the conversation
   * @param dependencies - account of the channel, and the message to reply to
   */
  constructor(target: DeliveryTarget, dependencies: ChannelSurfaceDependencies) {
    this.#target = target;
    this.#dependencies = dependencies;
  }

  get textLimit(): number | undefined {
    return this.#channel?.capabilities?.textLimit;
  }

  get deduplicates(): boolean {
    return this.#channel?.capabilities?.deduplicates === true;
  }

  get audio(): "voice" | "file" | undefined {
    return this.#channel?.capabilities?.audio;
  }

  get hasButtons(): boolean {
    return this.#channel?.capabilities?.buttons === true;
  }

  async send(
    message: SurfaceMessage,
    { idempotencyKey, runId, part }: SurfaceDelivery,
  ): Promise<{ messageId?: string }> {
    const { channel, to } = this.#target;
    const metadata = runId === undefined ? {} : { metadata: { runId, ...defined({ part }) } };
    const response = { ...this.#response(message), ...metadata, idempotencyKey };
    const incoming = await this.#dependencies.message();
    const sent = await this.#use(async (used) => {
      if (incoming !== undefined) return await used.respond(incoming, response);
      if (used.broadcast !== undefined) return await used.broadcast(to, response);
      const problem = "it sends replies only; the recipient must write first";
      throw new ChannelSendFailedError(channel, problem);
    });
    return receiptOf(sent);
  }

  async edit(messageId: string, message: SurfaceMessage): Promise<boolean> {
    if (this.#channel?.edit === undefined) return false;
    const { to, accountId, threadId } = this.#target;
    const reference = defined({ conversationId: to, messageId, accountId, threadId });
    await this.#use(async (used) => await used.edit?.(reference, this.#response(message)));
    return true;
  }

  /**
   * Deletes a shown message, where the channel can.
   * @param messageId - ID that the channel gave the message
   */
  async remove(messageId: string): Promise<void> {
    const { to, accountId, threadId } = this.#target;
    const reference = defined({ conversationId: to, messageId, accountId, threadId });
    await this.#use(async (used) => await used.remove?.(reference));
  }

  get #channel(): Channel | undefined {
    return this.#dependencies.account()?.channel;
  }

  #response({ text = "", attachments, replyToId, buttons }: SurfaceMessage): OutgoingResponse {
    const { threadId, accountId } = this.#target;
    const files = attachments?.map((file) => ({ ...file, ...defined({ name: plainName(file) }) }));
    const response = { content: text, threadId, accountId, attachments: files, replyToId, buttons };
    // Platforms reject what is not valid UTF-8.
    return wellFormed(defined(response));
  }

  /** Calls the channel with a deadline, so that one that hangs holds up its own conversation only. */
  async #use<Result>(call: (channel: Channel) => Promise<Result>): Promise<Result> {
    const { account: current, timers } = this.#dependencies;
    const { channel } = this.#target;
    const account = current();
    if (account === undefined) {
      const problem = "it is not running; enable its plugin, or check openclaw channels status";
      throw new ChannelSendFailedError(channel, problem);
    }
    let hasBegun = false;
    const use = () =>
      account.use((used) => {
        hasBegun = true;
        return call(used);
      });
    try {
      return await withDeadline(SEND_MS, use, timers);
    } catch (error) {
      if (account.signal.aborted) {
        const problem = hasBegun
          ? "it stopped while the message was sent; the message may have been sent"
          : "it stopped before the message was sent";
        const retryable = !hasBegun || this.deduplicates;
        throw new ChannelDisconnectedError(channel, problem, { cause: error, retryable });
      }
      if (!DeadlineExceededError.isInstance(error)) throw error;
      // The platform may have it, so only a channel that recognises a repeat may try again.
      throw new ChannelSendFailedError(
        channel,
        `no answer within ${SEND_MS / 1000} s; the message may have been sent`,
        { cause: error, retryable: this.deduplicates },
      );
    }
  }
}

/** Returns the name of a file without characters that end a line or a header, with which a platform receives it. */
function plainName({ name }: AttachmentMeta): string | undefined {
  return name?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function receiptOf(sent: SentMessage | void): { messageId?: string } {
  return typeof sent === "object" && typeof sent.messageId === "string"
    ? { messageId: sent.messageId }
    : {};
}
