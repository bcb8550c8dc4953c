import { defined } from "@openclaw/foundation";
import type { Caller, InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import type { WebhookConfiguration, WebhooksConfiguration } from "./configuration.js";
import {
  WebhookBodyError,
  WebhookNotFoundError,
  WebhookReplayedError,
  WebhookTooLargeError,
} from "./errors.js";
import { checkProof, type WebhookRequest, type WebhookSecret } from "./proof.js";
import { renderTemplate } from "./template.js";

/** Maximum size of a request's body and of a message's text, in bytes (GW-041). */
export const WEBHOOK_BYTES = 256 * 1024;

/** Dependencies of {@link Webhooks}. */
export interface WebhooksDependencies {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message of a webhook
   * @param caller - called once the message is stored
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  /**
   * Returns the surface of the conversation that receives the replies of a webhook with `deliver`.
   * @param name - name of the webhook
   */
  surfaceOf?(name: string): Caller["surface"];
}

/** Channel of the messages of webhooks. */
const CHANNEL = "webhook";

/**
 * Returns the conversation that receives the replies to the messages of a webhook, `webhooks.<name>.deliver`.
 * @param webhooks - section of the configuration
 * @param target - conversation of the message
 */
export function webhookReceiver(
  webhooks: WebhooksConfiguration = {},
  { channel, to }: { readonly channel: string; readonly to: string },
): WebhookConfiguration["deliver"] {
  if (channel !== CHANNEL || !Object.hasOwn(webhooks, to)) return undefined;
  return webhooks[to]?.deliver;
}

/** Turns requests of other services into messages (GW-041). */
export class Webhooks {
  readonly #webhooks: () => WebhooksConfiguration;
  readonly #dependencies: WebhooksDependencies;

  /**
   * @param configuration - returns the section `webhooks`, which a reload changes
   * @param dependencies - message flow and clock
   */
  constructor(configuration: () => WebhooksConfiguration, dependencies: WebhooksDependencies) {
    this.#dependencies = dependencies;
    this.#webhooks = configuration;
  }

  /**
   * Checks that a webhook exists, before its request is read.
   * @param name - name from the URL
   * @throws WebhookNotFoundError
   */
  require(name: string): void {
    this.#webhook(name);
  }

  #webhook(name: string): WebhookConfiguration {
    const webhooks = this.#webhooks();
    const webhook = Object.hasOwn(webhooks, name) ? webhooks[name] : undefined;
    if (webhook === undefined) throw new WebhookNotFoundError(name);
    return webhook;
  }

  /**
   * Accepts a request, and resolves once its message is stored. The reply is in the transcript
   * of the session, and goes to the conversation of `deliver`.
   * @param request - name, headers and unchanged body
   * @returns ID of the stored message
   * @throws the errors of webhooks, MessageRefusedError, store errors
   */
  async accept(request: WebhookRequest): Promise<string> {
    const { name, body } = request;
    const webhook = this.#webhook(name);
    const key = checkProof(request, secretOf(webhook), this.#dependencies.now());
    const text = renderTemplate(webhook.text, parse(name, body), WEBHOOK_BYTES);
    if (text === undefined) throw new WebhookTooLargeError(name, "text", WEBHOOK_BYTES);
    if (text.trim() === "") {
      const problem = "the text of the message is empty; send the fields that webhooks.*.text uses";
      throw new WebhookBodyError(name, problem);
    }
    const { agentId, sessionKey = `hook:${name}`, deliver } = webhook;
    const surface = deliver && this.#dependencies.surfaceOf?.(name);
    const message = {
      channel: CHANNEL,
      conversationId: name,
      senderId: `hook:${name}`,
      senderIsOwner: false,
      text,
      agentId,
      sessionKey,
      // The inbox accepts an ID once, also after a restart, which makes it the record of past requests.
      externalMessageId: key,
    };
    return this.#store(message, surface);
  }

  #store(message: InboundMessage, surface: Caller["surface"]): Promise<string> {
    return new Promise((resolve, reject) => {
      const caller = { onStored: resolve, ...defined({ surface }) };
      const outcome = this.#dependencies.receive(message, caller);
      outcome.then(({ status, messageId }) => {
        if (status !== "duplicate") return resolve(messageId);
        return reject(new WebhookReplayedError(message.conversationId, { messageId }));
      }, reject);
    });
  }
}

/** The configuration has one of both. */
function secretOf({ secret, token = "" }: WebhookConfiguration): WebhookSecret {
  return secret === undefined
    ? { type: "token", value: token }
    : { type: "signature", value: secret };
}

function parse(name: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new WebhookBodyError(name, "the body is not JSON in UTF-8; send a JSON value");
  }
}
