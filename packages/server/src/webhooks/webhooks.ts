import type { Caller, InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { WebhookConfiguration, WebhooksConfiguration } from "./configuration.js";
import {
  WebhookBodyError,
  WebhookNotFoundError,
  WebhookReplayedError,
  WebhookTooLargeError,
  WebhookUnavailableError,
} from "./errors.js";
import { checkProof, type WebhookRequest, type WebhookSecret } from "./proof.js";
import { renderTemplate } from "./template.js";

/** Maximum size of a request's body and of a message's text, in bytes (GW-041). */
export const WEBHOOK_BYTES = 256 * 1024;

const MINIMUM_SECRET_LENGTH = 24;

/** Dependencies of {@link Webhooks}. */
export interface WebhooksDependencies {
  /** Values of `${VARIABLE}` in the configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message of a webhook
   * @param caller - called once the message is stored
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
}

interface Webhook {
  readonly configuration: WebhookConfiguration;
  readonly secret: WebhookSecret | undefined;
}

/** Turns requests of other services into messages (GW-041). */
export class Webhooks {
  readonly #webhooks: ReadonlyMap<string, Webhook>;
  readonly #dependencies: WebhooksDependencies;

  /**
   * @param configuration - section `webhooks`
   * @param dependencies - message flow, environment, clock and log
   */
  constructor(configuration: WebhooksConfiguration, dependencies: WebhooksDependencies) {
    this.#dependencies = dependencies;
    const entries = Object.entries(configuration).map(([name, each]) => {
      return [name, { configuration: each, secret: this.#secretOf(name, each) }] as const;
    });
    this.#webhooks = new Map(entries);
  }

  /**
   * Checks that a webhook exists, before its request is read.
   * @param name - name from the URL
   * @throws WebhookNotFoundError
   */
  require(name: string): void {
    if (!this.#webhooks.has(name)) throw new WebhookNotFoundError(name);
  }

  /**
   * Accepts a request, and resolves once its message is stored. The reply is in the transcript of the session.
   * @param request - name, headers and unchanged body
   * @returns ID of the stored message
   * @throws the errors of webhooks, MessageRefusedError, store errors
   */
  async accept(request: WebhookRequest): Promise<string> {
    const { name, body } = request;
    const webhook = this.#webhooks.get(name);
    if (webhook === undefined) throw new WebhookNotFoundError(name);
    const { configuration, secret } = webhook;
    if (secret === undefined) throw new WebhookUnavailableError(name);
    const key = checkProof(request, secret, this.#dependencies.now());
    const text = renderTemplate(configuration.text, parse(name, body), WEBHOOK_BYTES);
    if (text === undefined) throw new WebhookTooLargeError(name, "text", WEBHOOK_BYTES);
    if (text.trim() === "") {
      const problem = "the text of the message is empty; send the fields that webhooks.*.text uses";
      throw new WebhookBodyError(name, problem);
    }
    const { agentId, sessionKey = `hook:${name}` } = configuration;
    return this.#store({
      channel: "webhook",
      conversationId: name,
      senderId: `hook:${name}`,
      senderIsOwner: false,
      text,
      agentId,
      sessionKey,
      // The inbox accepts an ID once, also after a restart, which makes it the record of past requests.
      externalMessageId: key,
    });
  }

  #store(message: InboundMessage): Promise<string> {
    return new Promise((resolve, reject) => {
      const outcome = this.#dependencies.receive(message, { onStored: resolve });
      outcome.then(({ status, messageId }) => {
        if (status !== "duplicate") return resolve(messageId);
        return reject(new WebhookReplayedError(message.conversationId, messageId));
      }, reject);
    });
  }

  #secretOf(name: string, { secret, token }: WebhookConfiguration): WebhookSecret | undefined {
    const { environment, logger } = this.#dependencies;
    const type = secret === undefined ? "token" : "signature";
    const text = secret ?? token ?? "";
    const [, variable] = /^\$\{(.+)\}$/.exec(text) ?? [];
    const value = variable === undefined ? text : (environment[variable] ?? "");
    if (value.length >= MINIMUM_SECRET_LENGTH) return { type, value };
    logger.warn(
      `webhook "${name}" accepts no requests: ${variable === undefined ? "its secret" : `the environment variable ${variable}`} is not set or has fewer than ${MINIMUM_SECRET_LENGTH} characters; set it, and restart the gateway`,
    );
    return undefined;
  }
}

function parse(name: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new WebhookBodyError(name, "the body is not JSON in UTF-8; send a JSON value");
  }
}
