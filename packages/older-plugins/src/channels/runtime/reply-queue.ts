import type {
  OlderReply,
  OlderReplyDispatcher,
  OlderReplyOptions,
} from "@openclaw/plugin-sdk/channel-core";

type Kind = "tool" | "block" | "final";

/** Hands replies that a plugin sends itself to its function, one after another. */
export class ReplyQueue implements OlderReplyDispatcher {
  readonly #options: OlderReplyOptions;
  readonly #queued = { tool: 0, block: 0, final: 0 };
  readonly #failed = { tool: 0, block: 0, final: 0 };
  #last: Promise<void> = Promise.resolve();
  #isComplete = false;

  /** @param options - receiver of the replies */
  constructor(options: OlderReplyOptions) {
    this.#options = options;
  }

  sendToolResult(reply: OlderReply): boolean {
    return this.#enqueue(reply, "tool");
  }

  sendBlockReply(reply: OlderReply): boolean {
    return this.#enqueue(reply, "block");
  }

  sendFinalReply(reply: OlderReply): boolean {
    return this.#enqueue(reply, "final");
  }

  async waitForIdle(): Promise<void> {
    await this.#last;
  }

  getQueuedCounts() {
    return { ...this.#queued };
  }

  getFailedCounts() {
    return { ...this.#failed };
  }

  markComplete(): void {
    this.#isComplete = true;
  }

  #enqueue(reply: OlderReply, kind: Kind): boolean {
    const isEmpty = !reply.text?.trim() && !reply.mediaUrl && !reply.mediaUrls?.length;
    if (this.#isComplete || isEmpty) {
      this.#options.onSkip?.(reply, { kind, reason: isEmpty ? "empty" : "complete" });
      return false;
    }
    this.#queued[kind] += 1;
    this.#last = this.#last.then(() => this.#deliver(reply, kind));
    return true;
  }

  async #deliver(reply: OlderReply, kind: Kind): Promise<void> {
    try {
      await this.#options.deliver(reply, { kind });
    } catch (error) {
      this.#failed[kind] += 1;
      this.#options.onError?.(error, { kind });
    }
  }
}
