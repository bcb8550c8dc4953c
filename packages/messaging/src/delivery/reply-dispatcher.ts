import type { MessageContext, ReplyDispatcher, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import type { ReplySurface } from "../messages/inbound.js";
import { type Delivery, type DeliveryHost, deliverPart } from "./chunk.js";

type Counts = Record<keyof ReplyDispatcher["counts"], number>;

/**
 * What a plugin sends with that delivers a reply itself; each text is a part of the reply and passes the
 * outbound hooks like any other. An instance, since plain objects reach handlers as copies, whose
 * counts would stand still.
 */
export class PartDispatcher implements ReplyDispatcher {
  /** Where each thing ended that was sent with it, in order. */
  readonly deliveries: Delivery[] = [];
  readonly #send: (part: OutboxRow) => Promise<Delivery>;
  readonly #reply: OutboxRow;
  readonly #host: DeliveryHost;
  readonly #counts: Counts = { final: 0, block: 0, tool: 0 };
  #lastPart: number;

  /**
   * @param reply - the reply that it may deliver
   * @param context - what hooks are told
   * @param surface - shows what is sent
   * @param host - hooks, store and log
   */
  constructor(
    reply: OutboxRow,
    context: MessageContext,
    surface: ReplySurface | undefined,
    host: DeliveryHost,
  ) {
    this.#reply = reply;
    this.#host = host;
    this.#lastPart = reply.part;
    this.#send = (part) => deliverPart(part, context, surface, host);
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

  /** Number for the next part of the reply. */
  nextPart(): number {
    this.#lastPart += 1;
    return this.#lastPart;
  }

  async #sendAs(kind: keyof Counts, payload: ReplyPayload): Promise<void> {
    const { text: content = "", attachments = [], replyToId } = payload;
    const { row } = await this.#host.store.outbox.add({
      ...this.#reply,
      part: this.nextPart(),
      content,
      attachments,
      ...(replyToId === undefined ? {} : { replyToId }),
    });
    this.#counts[kind] += 1;
    this.deliveries.push(await this.#send(row));
  }
}
