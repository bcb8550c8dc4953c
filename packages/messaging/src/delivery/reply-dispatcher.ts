import { defined } from "@openclaw/foundation";
import type { MessageContext, ReplyDispatcher, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import type { ReplySurface } from "../messages/inbound.js";
import { type ChunkDeliveryDependencies, type Delivery, deliverChunk } from "./chunk.js";

type Counts = Record<keyof ReplyDispatcher["counts"], number>;

/**
 * Sends the messages of a plugin that delivers a reply itself; each message is a chunk of the reply and
 * passes the outbound hooks. It is a class instance because handlers receive plain objects as copies, whose
 * counts would not change.
 */
export class ChunkDispatcher implements ReplyDispatcher {
  /** Outcomes of the messages that were sent with it, in order. */
  readonly deliveries: Delivery[] = [];
  readonly #send: (chunk: OutboxRow) => Promise<Delivery>;
  readonly #reply: OutboxRow;
  readonly #dependencies: ChunkDeliveryDependencies;
  readonly #counts: Counts = { final: 0, block: 0, tool: 0 };
  #lastPart: number;

  /**
   * @param reply - reply that the plugin may deliver
   * @param context - context of the hooks
   * @param surface - shows the messages
   * @param dependencies - hooks, store, log and safety
   */
  constructor(
    reply: OutboxRow,
    context: MessageContext,
    surface: ReplySurface | undefined,
    dependencies: ChunkDeliveryDependencies,
  ) {
    this.#reply = reply;
    this.#dependencies = dependencies;
    this.#lastPart = reply.part;
    this.#send = (chunk) => deliverChunk(chunk, context, surface, dependencies);
  }

  get counts(): Counts {
    return { ...this.#counts };
  }

  sendFinal(payload: ReplyPayload): Promise<void> {
    return this.#sendAs("final", payload);
  }

  sendBlock(payload: ReplyPayload): Promise<void> {
    return this.#sendAs("block", payload);
  }

  sendTool(payload: ReplyPayload): Promise<void> {
    return this.#sendAs("tool", payload);
  }

  /** Returns the number of the next chunk of the reply. */
  nextPart(): number {
    this.#lastPart += 1;
    return this.#lastPart;
  }

  async #sendAs(kind: keyof Counts, payload: ReplyPayload): Promise<void> {
    const { text: content = "", attachments = [], replyToId } = payload;
    const { row } = await this.#dependencies.store.messages.outbox.add({
      ...this.#reply,
      ...defined({ part: this.nextPart(), content, attachments, replyToId }),
    });
    this.#counts[kind] += 1;
    this.deliveries.push(await this.#send(row));
  }
}
