import type { PluginKeyValueStore } from "../host/plugin-store.js";
import type { JsonValue } from "../schema/json.js";
import type { DeliveryState, WebhookTry } from "./delivery.js";
import type { WebhookMessage } from "./event.js";

/** Number of outcomes that are kept for a webhook. */
const KEPT = 100;

/** Outcome of one event, as it is stored. */
export interface WebhookDelivery {
  readonly id: string;
  readonly event: string;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  /** `queued` waits in the store. */
  readonly state: DeliveryState | "queued";
  readonly tries: readonly WebhookTry[];
}

/** Stored outcomes and stored events of one webhook. */
export class DeliveryLog {
  readonly #kv: PluginKeyValueStore;
  readonly #outcomes: string;
  readonly #queue: string;
  /** Keys of the outcomes, oldest first; unknown before the first use. */
  #keys: Promise<string[]> | undefined;

  /** @param name - name of the webhook */
  constructor(kv: PluginKeyValueStore, name: string) {
    this.#kv = kv;
    this.#outcomes = `webhook/${name}/outcome/`;
    this.#queue = `webhook/${name}/queue/`;
  }

  /**
   * Stores an outcome, and removes the oldest one above 100.
   * @param message - message that was sent
   * @param state - its end
   * @param tries - each try
   */
  async record(
    { id, event, timestamp }: WebhookMessage,
    state: DeliveryState,
    tries: readonly WebhookTry[],
  ): Promise<void> {
    const keys = await this.#outcomeKeys();
    const key = `${this.#outcomes}${timestamp}/${id}`;
    keys.push(key);
    const value = { id, event, timestamp, state, tries: tries.map((each) => ({ ...each })) };
    await this.#kv.set(key, value as JsonValue);
    for (const old of keys.splice(0, Math.max(0, keys.length - KEPT))) await this.#kv.delete(old);
  }

  /**
   * Stores a message until it is removed.
   * @param message - message to send later, also in another process
   */
  async enqueue(message: WebhookMessage): Promise<void> {
    await this.#kv.set(this.#queueKey(message), { ...message });
  }

  /** @param message - message that need not be sent any more */
  async remove(message: WebhookMessage): Promise<void> {
    await this.#kv.delete(this.#queueKey(message));
  }

  /** Returns the stored messages, oldest first. */
  async queued(): Promise<readonly WebhookMessage[]> {
    const entries = await this.#kv.list(this.#queue);
    return entries.flatMap(({ value }) => (isMessage(value) ? [value] : []));
  }

  /**
   * Returns the newest outcomes and the stored messages, newest first.
   * @param limit - maximum number
   */
  async list(limit: number): Promise<readonly WebhookDelivery[]> {
    const entries = await this.#kv.list(this.#outcomes);
    const ended = entries.flatMap(({ value }) => (isDelivery(value) ? [value] : []));
    const waiting = (await this.queued()).map(
      ({ id, event, timestamp }): WebhookDelivery => ({
        ...{ id, event, timestamp, state: "queued", tries: [] },
      }),
    );
    return [...waiting, ...ended]
      .sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1))
      .slice(0, limit);
  }

  #queueKey({ timestamp, id }: WebhookMessage): string {
    return `${this.#queue}${timestamp}/${id}`;
  }

  #outcomeKeys(): Promise<string[]> {
    this.#keys ??= this.#kv
      .list(this.#outcomes)
      .then((entries) => entries.map(({ key }) => key))
      .catch((error: unknown) => {
        this.#keys = undefined;
        throw error;
      });
    return this.#keys;
  }
}

function isMessage(value: JsonValue): value is JsonValue & WebhookMessage {
  return hasTexts(value, ["id", "event", "timestamp", "body"]);
}

function isDelivery(value: JsonValue): value is JsonValue & WebhookDelivery {
  return hasTexts(value, ["id", "event", "timestamp", "state"]) && "tries" in value;
}

function hasTexts(
  value: JsonValue,
  names: readonly string[],
): value is { [key: string]: JsonValue } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return names.every((name) => typeof value[name] === "string");
}
