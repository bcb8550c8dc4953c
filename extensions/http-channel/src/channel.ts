import type {
  Channel,
  ChannelContext,
  IncomingMessage,
  OutgoingResponse,
} from "@openclaw/plugin-sdk/channel-core";
import {
  ChannelHealthCheckFailedError,
  ChannelSendFailedError,
  ChannelStartupFailedError,
} from "@openclaw/plugin-sdk/channel-core";
import { HttpAccount, type HttpAccountOptions } from "./account.js";
import { Refusal } from "./refusal.js";
import { readBody } from "./request.js";
import { RequestRate } from "./request-rate.js";
import { CHANNEL, type HttpSettings, readSettings } from "./settings.js";
import { isEqual, SIGNATURE_HEADER, UNTIMED_HEADER } from "./signature.js";

/** Wrong secrets in a minute after which they are no longer compared. */
const WRONG_SECRETS_PER_MINUTE = 60;

/** Messages that programs send over HTTP. */
export class HttpChannel implements Channel {
  readonly name = CHANNEL;
  /** Senders are known by their secret. */
  readonly capabilities = { deduplicates: true, authenticates: true };
  readonly #accounts = new Map<string, HttpAccount>();
  readonly #options: HttpAccountOptions;
  readonly #wrongSecrets: RequestRate;

  /** @param options - network, times and clock */
  constructor(options: HttpAccountOptions) {
    this.#options = options;
    this.#wrongSecrets = new RequestRate(WRONG_SECRETS_PER_MINUTE, () => options.now());
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    const { accountId } = context;
    const settings = readSettings(context.config);
    this.#rejectSharedSecret(accountId, settings);
    const account = new HttpAccount(settings, context, this.#options);
    this.#accounts.set(accountId, account);
    try {
      yield* account.receive((request) => this.#handle(request, [account]));
    } finally {
      if (this.#accounts.get(accountId) === account) this.#accounts.delete(accountId);
    }
  }

  /**
   * A signature does not name its account, so a request for one account could be replayed to another with its secret.
   * @throws ChannelStartupFailedError when another account has the secret
   */
  #rejectSharedSecret(accountId: string, { webhookSecret }: HttpSettings): void {
    const others = [...this.#accounts].filter(
      ([id, { settings }]) => id !== accountId && isEqual(settings.webhookSecret, webhookSecret),
    );
    const [other] = others.map(([id]) => id);
    if (other === undefined) return;
    const problem = `accounts ${other} and ${accountId} have the same webhookSecret, so that a request for one can be sent to the other; give each account a secret, for example of \`openssl rand -hex 32\``;
    throw new ChannelStartupFailedError(CHANNEL, problem);
  }

  async respond(message: IncomingMessage, response: OutgoingResponse): Promise<void> {
    await this.#account(message.accountId).reply(message, response);
  }

  async broadcast(userId: string, response: OutgoingResponse): Promise<void> {
    await this.#account(response.accountId).send(userId, response);
  }

  async healthCheck(accountId: string): Promise<void> {
    if (this.#accounts.has(accountId)) return;
    throw new ChannelHealthCheckFailedError(CHANNEL, "it does not listen; see its last failure");
  }

  /**
   * Handles a request to the gateway.
   * @param request - request for one of the paths of the channel
   */
  handle(request: Request): Promise<Response> {
    const served = [...this.#accounts.values()].filter(({ settings }) => !settings.listener);
    return this.#handle(request, served);
  }

  async #handle(request: Request, accounts: readonly HttpAccount[]): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isHealth = pathname.endsWith("/health");
    if (!isHealth && !/\/webhook(?:\/http)?$/.test(pathname)) {
      return new Refusal("not_found", "the paths are /webhook and /health").response();
    }
    if (accounts.length === 0) {
      const problem = "the channel does not run; see openclaw channels status http";
      return new Refusal("not_started", problem, { "retry-after": "5" }).response();
    }
    const allow = isHealth ? "GET" : "POST";
    if (request.method !== allow && !(isHealth && request.method === "HEAD")) {
      const problem = `${pathname} allows ${allow}, not ${request.method}`;
      return new Refusal("method_not_allowed", problem, { allow }).response();
    }
    if (isHealth) return Response.json({ status: "healthy", channel: CHANNEL });
    const body = await readBody(request);
    if (body instanceof Refusal) return body.response();
    const { headers } = request;
    const isSigned = headers.has(SIGNATURE_HEADER) || headers.has(UNTIMED_HEADER);
    if (!isSigned && body.fields === undefined) {
      return new Refusal("invalid", "the body is not a JSON object").response();
    }
    for (const account of accounts) {
      const proof = account.proofOf(body, headers);
      if (proof !== undefined) return await account.accept(request, body, proof);
    }
    return this.#refuse();
  }

  /** Guesses are slowed down, and those who know the secret are not. */
  #refuse(): Response {
    const seconds = this.#wrongSecrets.take();
    if (seconds === undefined) {
      const problem =
        "no or a wrong secret; send `secret` in the body, or X-OpenClaw-Timestamp with the seconds since 1970 and X-OpenClaw-Signature with sha256=<hex>, the HMAC-SHA256 of `<timestamp>.<body>`, or of `<timestamp>.<Idempotency-Key>.<body>`";
      return new Refusal("unauthorized", problem).response();
    }
    const headers = { "retry-after": String(seconds) };
    return new Refusal("rate_limited", "too many wrong secrets", headers).response();
  }

  #account(accountId = "default"): HttpAccount {
    const account = this.#accounts.get(accountId);
    if (account !== undefined) return account;
    const problem = `account ${accountId} does not run; see openclaw channels status http`;
    throw new ChannelSendFailedError(CHANNEL, problem, { retryable: true });
  }
}
