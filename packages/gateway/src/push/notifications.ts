import { createHash, ECDH } from "node:crypto";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalSummary, MethodCaller } from "@openclaw/protocol";
import type { NetworkClient } from "@openclaw/safety";
import { type BrowserKeys, encryptPush } from "./encryption.js";
import { PushSubscriptionError } from "./errors.js";
import type { PushFile, PushSubscriber } from "./push-file.js";
import { vapidAuthorization } from "./vapid.js";

/** Time in milliseconds in which a push service answers. */
const ANSWER_MS = 10_000;
const AUTH_BYTES = 16;
/** Answers of a push service that no longer knows a subscription. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Dependencies of {@link PushNotifications}. */
export interface PushDependencies {
  readonly file: PushFile;
  readonly network: Pick<NetworkClient, "checkUrl" | "fetch">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Subscription as a browser describes it. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: BrowserKeys;
}

/**
 * Tells subscribed browsers that a request waits for a decision, also while no page is open. The message has the ID of the
 * request alone, so that neither the push service nor a locked screen shows what is asked (UI-016).
 */
export class PushNotifications {
  readonly #dependencies: PushDependencies;

  /** @param dependencies - stored subscriptions and the network */
  constructor(dependencies: PushDependencies) {
    this.#dependencies = dependencies;
  }

  /** Key that a browser subscribes with; created with its first use. */
  get publicKey(): string {
    return this.#dependencies.file.key.publicKey;
  }

  /** Returns the subscriptions, without their secrets. */
  list() {
    return this.#dependencies.file.subscriptions.map(({ endpoint, createdAt, createdBy }) => ({
      ...{ id: idOf(endpoint), service: new URL(endpoint).host, createdAt, createdBy },
    }));
  }

  /**
   * Stores a subscription.
   * @param subscription - endpoint and keys of the browser
   * @param caller - caller to whom it belongs
   * @throws NetworkDeniedError when the endpoint is not public or not https
   * @throws PushSubscriptionError when the keys are not those of a browser
   */
  subscribe({ endpoint, keys }: BrowserSubscription, caller: Pick<MethodCaller, "id">) {
    const { file, network, now } = this.#dependencies;
    const { href } = network.checkUrl(endpoint);
    checkKeys(keys);
    const createdAt = now();
    file.add({ endpoint: href, ...keys, createdAt, createdBy: caller.id });
    return { id: idOf(href) };
  }

  /**
   * Removes a subscription.
   * @param endpoint - its URL
   */
  unsubscribe(endpoint: string) {
    const isUrl = URL.canParse(endpoint);
    return { removed: isUrl && this.#dependencies.file.remove(new URL(endpoint).href) };
  }

  /** True while a browser is subscribed. A damaged file is logged, and reaches no browser. */
  get isHeard(): boolean {
    try {
      return this.#dependencies.file.subscriptions.length > 0;
    } catch (error) {
      this.#dependencies.logger.error("no browser is notified", { reason: errorMessage(error) });
      return false;
    }
  }

  /**
   * Tells every browser of a request. A failure is logged; the request waits in the console as before.
   * @param approval - request that waits
   * @returns true if a push service accepted the notification
   */
  async notify({ id, expiresAt }: Pick<ApprovalSummary, "id" | "expiresAt">): Promise<boolean> {
    const { file, now } = this.#dependencies;
    const left = Math.max(0, Math.floor((expiresAt - now()) / 1000));
    const sent = await Promise.all(file.subscriptions.map((each) => this.#send(each, id, left)));
    return sent.includes(true);
  }

  async #send(subscriber: PushSubscriber, id: string, ttl: number): Promise<boolean> {
    const { file, network, logger, now } = this.#dependencies;
    const endpoint = new URL(subscriber.endpoint);
    try {
      const response = await network.fetch(endpoint, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          authorization: vapidAuthorization(file.key, endpoint, now()),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          ttl: String(ttl),
          urgency: "high",
          // A later message about the same request replaces one that was not delivered.
          topic: createHash("sha256").update(id).digest("base64url").slice(0, 32),
        },
        body: new Uint8Array(encryptPush(JSON.stringify({ approval: id }), subscriber)),
      });
      await response.body?.cancel();
      if (GONE.has(response.status)) {
        file.remove(subscriber.endpoint);
        logger.info("a browser ended its push subscription", { service: endpoint.host });
      } else if (!response.ok) {
        logger.warn("a push service did not accept a notification", {
          ...{ service: endpoint.host, status: response.status, approvalId: id },
        });
      }
      return response.ok;
    } catch (error) {
      logger.warn("a push service was not reached", {
        ...{ service: endpoint.host, approvalId: id, reason: errorMessage(error) },
      });
      return false;
    }
  }
}

function checkKeys({ p256dh, auth }: BrowserKeys): void {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url", "hex", "uncompressed");
  } catch (error) {
    throw new PushSubscriptionError(`"p256dh" is not a point of P-256 (${errorMessage(error)})`);
  }
  const { length } = Buffer.from(auth, "base64url");
  if (length !== AUTH_BYTES) {
    throw new PushSubscriptionError(`"auth" has ${length} bytes instead of ${AUTH_BYTES}`);
  }
}

/** The endpoint is a secret of the browser: any program that has it can send to it. */
function idOf(endpoint: string): string {
  return createHash("sha256").update(endpoint).digest("hex").slice(0, 16);
}
