import {
  ChannelSendFailedError,
  type MessageOutcome,
  type OlderDispatchResult,
  type OlderReplyOptions,
  type OutgoingResponse,
  type SentMessage,
} from "@openclaw/plugin-sdk/channel-core";
import { olderReply } from "./reply.js";
import { receiptOf, sendingError } from "./sending-error.js";
import { waiting } from "./waiting.js";

/** A message whose plugin waits for the end of the host's work, and receives its replies. */
export class MessageFlight {
  readonly #channel: string;
  readonly #options: OlderReplyOptions;
  readonly #settled = waiting<MessageOutcome>();
  #sent = 0;
  #hasStarted = false;
  #hasEnded = false;

  /** @param options - receiver of the replies */
  constructor(channel: string, options: OlderReplyOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  /** Resolves with the outcome of the message. */
  get settled(): Promise<MessageOutcome> {
    return this.#settled.promise;
  }

  /** True once the outcome is known; later messages of the host go through the outbound adapter. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Numbers of the replies, as older plugins expect them. */
  get result(): OlderDispatchResult {
    return { queuedFinal: this.#sent > 0, counts: { tool: 0, block: 0, final: this.#sent } };
  }

  /** Tells the plugin that the host works on the message. */
  async start(): Promise<void> {
    if (this.#hasStarted || this.#hasEnded) return;
    this.#hasStarted = true;
    const { onReplyStart, typingCallbacks } = this.#options;
    await onReplyStart?.();
    await typingCallbacks?.onReplyStart?.();
  }

  /**
   * Hands one reply to the plugin.
   * @param response - text and attachments
   * @throws ChannelError that says whether a repeat can succeed
   */
  async deliver(response: OutgoingResponse): Promise<SentMessage> {
    const { deliver, onError, responsePrefix } = this.#options;
    if (typeof deliver !== "function") {
      const problem = "its plugin passed no function `deliver`; report that to its author";
      throw new ChannelSendFailedError(this.#channel, problem);
    }
    const reply = olderReply(response, responsePrefix);
    try {
      const receipt = receiptOf(this.#channel, await deliver(reply, { kind: "final" }));
      this.#sent += 1;
      return receipt;
    } catch (error) {
      onError?.(error, { kind: "final" });
      throw sendingError(this.#channel, error);
    }
  }

  /**
   * Ends the message.
   * @param outcome - result of the host's work
   */
  end(outcome: MessageOutcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#settled.resolve(outcome);
  }

  /** Tells the plugin that no reply follows, for example to stop its typing indicator. */
  async finish(): Promise<void> {
    const { onIdle, onCleanup, typingCallbacks } = this.#options;
    await onIdle?.();
    await typingCallbacks?.onIdle?.();
    await onCleanup?.();
    await typingCallbacks?.onCleanup?.();
  }
}
