import type { OutgoingResponse, SentMessage } from "./message.js";

/** Maximum number of messages whose sent parts are remembered. */
const MOST_MESSAGES = 1000;

/**
 * Sends one part of a message, unless an earlier attempt sent it.
 * @param send - sends the part
 * @returns its receipt
 */
export type SendPart = (send: () => Promise<SentMessage>) => Promise<SentMessage>;

/**
 * Parts of messages that were sent, for a channel that sends one message of the host as several. When a part is rejected,
 * for example because the platform limits their rate, the host repeats the message, and the parts before are not sent
 * twice.
 */
export class SentParts {
  readonly #messages = new Map<string, SentMessage[]>();

  /**
   * Sends a message, or what an earlier attempt did not send of it.
   * @param response - the message
   * @param work - sends the parts, in the same order in each attempt
   */
  async send(
    { idempotencyKey: key }: Pick<OutgoingResponse, "idempotencyKey">,
    work: (part: SendPart) => Promise<SentMessage>,
  ): Promise<SentMessage> {
    const sent = (key === undefined ? undefined : this.#messages.get(key)) ?? [];
    let count = 0;
    const receipt = await work(async (send) => {
      const index = count;
      count += 1;
      const known = sent[index];
      if (known !== undefined) return known;
      const part = await send();
      sent[index] = part;
      if (key !== undefined) this.#remember(key, sent);
      return part;
    });
    if (key !== undefined) this.#messages.delete(key);
    return receipt;
  }

  #remember(key: string, sent: SentMessage[]): void {
    this.#messages.set(key, sent);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > MOST_MESSAGES && oldest !== undefined) this.#messages.delete(oldest);
  }
}
