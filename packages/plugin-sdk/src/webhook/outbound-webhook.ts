import type { PluginStore } from "../host/plugin-store.js";
import type { HostRuntime } from "../host/runtime.js";
import type { Logger } from "../logger.js";
import { deliver, type WebhookTiming } from "./delivery.js";
import { DeliveryLog, type WebhookDelivery } from "./delivery-log.js";
import { type WebhookEvent, type WebhookMessage, webhookMessage } from "./event.js";
import {
  type CheckedWebhookSettings,
  checkOutboundWebhook,
  type OutboundWebhookSettings,
} from "./settings.js";

/** Maximum number of events that a durable webhook stores. */
const MOST_QUEUED = 1000;
/** Time in milliseconds for which the end of a plugin waits for deliveries in flight. */
const CLOSE_MS = 2000;

/** Part of a plugin's `api` that webhooks need; `api` itself fits. */
export interface OutboundWebhookHost {
  readonly runtime: Pick<HostRuntime, "fetch" | "checkUrl"> & {
    readonly logging: Pick<HostRuntime["logging"], "redact">;
  };
  readonly store: Pick<PluginStore, "kv">;
  readonly logger: Logger;
}

/** Outcome of `send`: `dropped` when too many are in flight and the webhook is not durable. */
export interface WebhookReceipt {
  /** Value of `X-Webhook-Id`. */
  readonly id: string;
  readonly state: "sending" | "queued" | "dropped";
}

/** Numbers of a webhook since it was opened. */
export interface WebhookCounts {
  readonly inFlight: number;
  readonly queued: number;
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
  /** Tries after the first ones. */
  readonly retried: number;
}

/** Sends events of hooks to a receiver outside the host. */
export interface OutboundWebhook {
  readonly name: string;
  readonly counts: WebhookCounts;
  /**
   * Sends an event. Never rejects: failures are stored and logged.
   * @returns once the event is stored, or its delivery has begun
   */
  send(event: WebhookEvent): Promise<WebhookReceipt>;
  /** Sends the stored events of an earlier process; for the start of a service. */
  resume(): Promise<void>;
  /**
   * Returns the newest deliveries, newest first.
   * @param limit - maximum number; 20 when absent
   */
  deliveries(limit?: number): Promise<readonly WebhookDelivery[]>;
  /** Waits at most 2 seconds for deliveries in flight, and ends the others; a durable webhook keeps their events. */
  close(): Promise<void>;
}

/**
 * Opens a webhook. Requests pass the network check of the host and the plugin's `permissions.network`, are signed, and
 * are repeated after temporary failures; the outcome of each is kept in the plugin's store (DHOOK-028 to DHOOK-034).
 * @param host - `api` of the plugin
 * @param settings - receiver
 * @param timing - time, for tests
 * @throws OutboundWebhookError when a setting is not valid
 * @example
 * ```ts
 * import { openOutboundWebhook } from "@openclaw/plugin-sdk/outbound-webhook";
 * import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
 *
 * export default definePluginEntry({
 *   id: "audit",
 *   register(api) {
 *     const webhook = openOutboundWebhook(api, { name: "audit", url: "https://example.com/hook" });
 *     api.lifecycle.onDispose(() => webhook.close());
 *     api.on("session_end", async (_event, { sessionKey }) => {
 *       const hook = { name: "audit", point: "session_end", id: "audit" };
 *       await webhook.send({ event: "session_end", hook, data: { session: sessionKey } });
 *     });
 *   },
 * });
 * ```
 */
export function openOutboundWebhook(
  host: OutboundWebhookHost,
  settings: OutboundWebhookSettings,
  timing: WebhookTiming = systemTiming,
): OutboundWebhook {
  const checked = checkOutboundWebhook(settings, (url) => host.runtime.checkUrl(url));
  return new Webhook(host, checked, timing);
}

class Webhook implements OutboundWebhook {
  readonly #host: OutboundWebhookHost;
  readonly #settings: CheckedWebhookSettings;
  readonly #timing: WebhookTiming;
  readonly #log: DeliveryLog;
  readonly #ending = new AbortController();
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Stored messages that wait for a free place. */
  readonly #waiting: WebhookMessage[] = [];
  #isClosed = false;
  #delivered = 0;
  #failed = 0;
  #dropped = 0;
  #retried = 0;

  constructor(host: OutboundWebhookHost, settings: CheckedWebhookSettings, timing: WebhookTiming) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#log = new DeliveryLog(host.store.kv, settings.name);
  }

  get name(): string {
    return this.#settings.name;
  }

  get counts(): WebhookCounts {
    return {
      inFlight: this.#inFlight.size,
      queued: this.#waiting.length,
      delivered: this.#delivered,
      failed: this.#failed,
      dropped: this.#dropped,
      retried: this.#retried,
    };
  }

  async send(event: WebhookEvent): Promise<WebhookReceipt> {
    const { includeContent, durable, maxInFlight } = this.#settings;
    const { redact } = this.#host.runtime.logging;
    const message = webhookMessage(event, { now: this.#timing.now(), includeContent, redact });
    const isFull = this.#isClosed || this.#inFlight.size >= maxInFlight;
    if (isFull && (!durable || this.#waiting.length >= MOST_QUEUED)) {
      this.#dropped += 1;
      return { id: message.id, state: "dropped" };
    }
    if (!durable) {
      this.#begin(message);
      return { id: message.id, state: "sending" };
    }
    // Stored first, so that a delivery cannot end before its event is stored. One that cannot be stored is sent all
    // the same.
    await this.#guarded("store an event", () => this.#log.enqueue(message));
    this.#waiting.push(message);
    this.#fill();
    return { id: message.id, state: this.#waiting.includes(message) ? "queued" : "sending" };
  }

  async resume(): Promise<void> {
    if (!this.#settings.durable) return;
    await this.#guarded("read stored events", async () => {
      const known = new Set([...this.#inFlight.keys(), ...this.#waiting.map(({ id }) => id)]);
      const stored = (await this.#log.queued()).filter(({ id }) => !known.has(id));
      this.#waiting.unshift(...stored);
      this.#fill();
    });
  }

  deliveries(limit = 20): Promise<readonly WebhookDelivery[]> {
    return this.#log.list(limit);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = Promise.allSettled(this.#inFlight.values());
    const timeout = new AbortController();
    const late = this.#timing.wait(CLOSE_MS, timeout.signal).catch(() => undefined);
    await Promise.race([running, late]);
    timeout.abort();
    this.#ending.abort(new DOMException(`webhook ${this.name} was closed`, "AbortError"));
    await running;
  }

  /** Starts stored messages while there is room. */
  #fill(): void {
    while (!this.#isClosed && this.#inFlight.size < this.#settings.maxInFlight) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#begin(next);
    }
  }

  #begin(message: WebhookMessage): void {
    const running = this.#run(message).finally(() => {
      this.#inFlight.delete(message.id);
      this.#fill();
    });
    this.#inFlight.set(message.id, running);
  }

  async #run(message: WebhookMessage): Promise<void> {
    const { runtime, logger } = this.#host;
    const dependencies = {
      fetch: (url: URL, init: RequestInit) => runtime.fetch(url, init),
      timing: this.#timing,
      signal: this.#ending.signal,
    };
    await this.#guarded("deliver an event", async () => {
      const { state, tries } = await deliver(message, this.#settings, dependencies);
      this.#retried += Math.max(0, tries.length - 1);
      if (state === "delivered") this.#delivered += 1;
      else if (state === "failed") {
        this.#failed += 1;
        const { status, error } = tries.at(-1) ?? {};
        const reason = error ?? `status ${status}`;
        logger.warn(`webhook ${this.name}: ${message.event} was not delivered: ${reason}`, {
          webhookId: message.id,
          tries: tries.length,
        });
      }
      // A durable event of a stopped process stays stored, and is sent by the next one.
      if (this.#settings.durable && state === "stopped") return;
      await this.#log.record(message, state, tries);
      if (this.#settings.durable) await this.#log.remove(message);
    });
  }

  async #guarded(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#host.logger.error(`webhook ${this.name} could not ${what}: ${reason}`);
      return false;
    }
  }
}

const systemTiming: WebhookTiming = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal.addEventListener("abort", abort, { once: true });
    }),
};
