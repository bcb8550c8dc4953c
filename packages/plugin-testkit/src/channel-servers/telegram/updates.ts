import type { ServerResponse } from "node:http";
import { type Fields, json } from "./fields.js";
import { TelegramRefusal } from "./rules.js";

/** Webhook that a bot set. */
export interface TelegramWebhook {
  readonly url: string;
  readonly secret: string | undefined;
}

/** Updates that a bot has not confirmed, and its ways to receive them: polls or a webhook, never both. */
export class TelegramUpdates {
  #waiting: Fields[] = [];
  #webhook: TelegramWebhook | undefined;
  #poll: { end(): void } | undefined;
  #wake: (() => void) | undefined;

  /** Number of updates that the bot has not confirmed. */
  get unconfirmed(): number {
    return this.#waiting.length;
  }

  /** The webhook that the bot set. */
  get webhook(): TelegramWebhook | undefined {
    return this.#webhook;
  }

  /**
   * Adds an update, which ends the poll that waits.
   * @param update - the update with its ID
   */
  add(update: Fields): void {
    this.#waiting.push(update);
    this.#wake?.();
  }

  /** Ends the poll that waits. */
  endPoll(): void {
    this.#poll?.end();
  }

  /**
   * Sets or removes the webhook.
   * @param fields - fields of the request; undefined removes it
   * @throws TelegramRefusal for a URL without HTTPS
   */
  setWebhook(fields: Fields | undefined): void {
    const url = String(fields?.url);
    if (fields !== undefined && !url.startsWith("https://")) {
      throw new TelegramRefusal(400, "Bad Request: bad webhook: HTTPS url must be provided");
    }
    this.#webhook =
      fields === undefined ? undefined : { url, secret: fields.secret_token as string | undefined };
  }

  /**
   * Returns the updates from an offset, which confirms those before it, and waits for one when there is none.
   * @param fields - fields of the request
   * @param response - response whose end ends the poll
   * @throws TelegramRefusal while there is a webhook or another poll
   */
  async poll(fields: Fields, response: ServerResponse): Promise<readonly Fields[]> {
    if (this.#webhook !== undefined) {
      const reason = "can't use getUpdates method while webhook is active; use deleteWebhook first";
      throw new TelegramRefusal(409, `Conflict: ${reason}`);
    }
    if (this.#poll !== undefined) {
      this.#poll.end();
      const reason = "terminated by other getUpdates request";
      throw new TelegramRefusal(409, `Conflict: ${reason}`);
    }
    const { offset } = fields;
    if (offset !== undefined) {
      this.#waiting = this.#waiting.filter(({ update_id: id }) => Number(id) >= Number(offset));
    }
    const allowed = fields.allowed_updates === undefined ? undefined : json(fields.allowed_updates);
    const isAllowed = (update: object) =>
      !Array.isArray(allowed) || allowed.some((kind) => String(kind) in update);
    const ready = () => this.#waiting.filter(isAllowed);
    if (ready().length === 0 && Number(fields.timeout) > 0) {
      await new Promise<void>((resolve) => {
        this.#poll = { end: resolve };
        this.#wake = resolve;
        response.on("close", resolve);
      });
      this.#poll = undefined;
    }
    return ready().slice(0, 100);
  }
}
