import { defined, errorMessage, withDeadline } from "@openclaw/foundation";
import { DEFAULT_ACCOUNT, isSection } from "@openclaw/messaging";
import {
  type Channel,
  type ChannelCapabilities,
  type ChannelContext,
  ChannelHealthCheckFailedError,
  type IncomingMessage,
  type OutgoingResponse,
  type SentMessage,
  type StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { AdapterAccount, type AdapterAccountDependencies } from "./account.js";
import { resolveAccount } from "./accounts.js";
import { adapterMethod, adapterValue } from "./method.js";
import { sendOutbound } from "./outbound.js";
import { senderNormalizer } from "./sender.js";

/** Time that a plugin has to check an account, in milliseconds. */
const PROBE_MS = 10_000;

/** A channel of an older plugin, made of adapters, in the form of every channel (PLUG-150). */
export class AdapterBackedChannel implements Channel {
  readonly name: string;
  readonly capabilities: ChannelCapabilities;
  readonly #dependencies: AdapterAccountDependencies;
  readonly #accounts = new Map<string, AdapterAccount>();

  /** @param dependencies - channel of the plugin, configuration and timers */
  constructor(dependencies: AdapterAccountDependencies) {
    const { channel } = dependencies;
    this.#dependencies = dependencies;
    this.name = channel.id;
    const limit = adapterValue(channel, "outbound", "textChunkLimit");
    this.capabilities = defined({
      textLimit: typeof limit === "number" && limit >= 2 ? Math.floor(limit) : undefined,
    });
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    const { accountId } = context;
    await this.#accounts.get(accountId)?.stop();
    const account = new AdapterAccount(this.#dependencies, context);
    this.#accounts.set(accountId, account);
    yield* account.messages();
  }

  async respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage> {
    const { accountId = DEFAULT_ACCOUNT, conversationId, userId } = message;
    const replied = await this.#accounts.get(accountId)?.reply(message, response);
    return replied ?? (await this.#send(conversationId ?? userId, { ...response, accountId }));
  }

  async broadcast(userId: string, response: OutgoingResponse): Promise<SentMessage> {
    return await this.#send(userId, response);
  }

  async sendStatus(
    { kind }: StatusUpdate,
    _metadata: JsonValue,
    message: IncomingMessage,
  ): Promise<void> {
    if (kind !== "thinking" && kind !== "tool_started" && kind !== "stream_chunk") return;
    await this.account(message.accountId)?.showProgress(message);
  }

  async healthCheck(accountId: string): Promise<void> {
    const { channel, config, timers } = this.#dependencies;
    const cfg = config();
    const account = resolveAccount(channel, cfg, accountId);
    const probe = adapterMethod(channel, "status", "probeAccount");
    const { connected, lastError } = this.account(accountId)?.status ?? {};
    let found: unknown = { ok: connected !== false, error: lastError };
    try {
      if (probe !== undefined) {
        const ask = async () => await probe({ account, accountId, cfg, timeoutMs: PROBE_MS });
        found = await withDeadline(PROBE_MS, ask, timers);
      }
    } catch (error) {
      throw new ChannelHealthCheckFailedError(channel.id, errorMessage(error), { cause: error });
    }
    if (!isSection(found) || found.ok !== false) return;
    const reason = typeof found.error === "string" ? found.error : "its plugin gives no reason";
    throw new ChannelHealthCheckFailedError(channel.id, `the check failed: ${reason}`);
  }

  async shutdown(): Promise<void> {
    const accounts = [...this.#accounts.values()];
    this.#accounts.clear();
    await Promise.all(accounts.map((account) => account.stop()));
  }

  /** Returns an account that was started. */
  account(accountId: string = DEFAULT_ACCOUNT): AdapterAccount | undefined {
    return this.#accounts.get(accountId);
  }

  /** The started account when there is exactly one, for messages that name no account or one by another name. */
  get onlyAccount(): AdapterAccount | undefined {
    const [account, ...others] = this.#accounts.values();
    return others.length === 0 ? account : undefined;
  }

  /**
   * Returns the ID of a sender in the one spelling in which it is stored and compared.
   * @param senderId - ID as the plugin gives it
   */
  spelling(senderId: string): string {
    return senderNormalizer(this.#dependencies.channel)(senderId);
  }

  async #send(to: string, response: OutgoingResponse): Promise<SentMessage> {
    const { channel, config } = this.#dependencies;
    const { accountId = DEFAULT_ACCOUNT } = response;
    return await sendOutbound(channel, { to, accountId, response, cfg: config() });
  }
}
