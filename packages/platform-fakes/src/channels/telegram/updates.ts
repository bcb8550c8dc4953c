import type { ServerResponse } from "node:http";
import { type Fields, json } from "./fields.js";
import { badRequest, TelegramRefusal } from "./refusal.js";

/** Webhook that a bot set. */
export interface TelegramWebhook {
  readonly url: string;
  readonly secret: string | undefined;
}

/** Sends an update to the webhook and returns the status of the answer. */
export type PostUpdate = (update: Fields) => Promise<number>;

/** Ports of a webhook, see https://core.telegram.org/bots/api#setwebhook. */
const PORTS = new Set(["", "443", "80", "88", "8443"]);
const MOST_UPDATES = 100;

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
   * @throws TelegramRefusal for a URL or a secret that Telegram does not accept
   */
  setWebhook(fields: Fields | undefined): void {
    if (fields === undefined) {
      this.#webhook = undefined;
      return;
    }
    const { url, secret_token: secret } = fields;
    const target = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
    if (target?.protocol !== "https:") {
      throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
    }
    if (!PORTS.has(target.port)) {
      throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
    }
    if (secret !== undefined && (typeof secret !== "string" || !/^[\w-]{1,256}$/.test(secret))) {
      throw badRequest("secret token contains unallowed characters");
    }
    this.#webhook = { url: target.href, secret };
  }

  /**
   * Sends the updates that are not confirmed to the webhook: those of one chat one after another.
   * @param post - sends an update
   */
  async deliver(post: PostUpdate): Promise<void> {
    const chats = new Map<unknown, Fields[]>();
    for (const update of this.#waiting) {
      const chat = chatOf(update);
      chats.set(chat, [...(chats.get(chat) ?? []), update]);
    }
    const deliverAll = async (updates: readonly Fields[]) => {
      for (const update of updates) {
        const status = await post(update);
        if (status < 200 || status > 299) return;
        this.#waiting = this.#waiting.filter((each) => each !== update);
      }
    };
    await Promise.all([...chats.values()].map(deliverAll));
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
    const { limit = MOST_UPDATES } = fields;
    return ready().slice(0, Math.min(MOST_UPDATES, Math.max(1, Number(limit))));
  }
}

/** Returns the chat of an update; those of one chat are sent in order. */
function chatOf(update: Fields): unknown {
  const content = Object.values(update).find((value) => typeof value === "object") ?? {};
  const about = Object(content) as {
    message?: { chat?: { id?: unknown } };
    chat?: { id?: unknown };
  };
  return about.chat?.id ?? about.message?.chat?.id;
}
