import { generateKeyPairSync, sign } from "node:crypto";
import { HangUp } from "../../loopback-server.js";
import {
  type PlatformAnswer,
  type PlatformFault,
  type PlatformRequest,
  type PlatformServer,
  startPlatformServer,
} from "../platform-server.js";
import { RateLimits } from "../rate-limits.js";
import { DiscordGatewayServer } from "./gateway.js";
import {
  type DiscordChannel,
  type DiscordFile,
  DiscordGuild,
  type DiscordMessage,
  type DiscordUser,
  GUILD,
} from "./guild.js";
import { answerIn, DiscordInteractions } from "./interactions.js";
import { type DiscordDenial, DiscordRestApi } from "./rest.js";

/** Options of {@link startDiscordServer}. */
export interface DiscordServerOptions {
  /** Interactions endpoint URL. */
  readonly interactionsUrl: string;
  /** Sends requests to the interactions endpoint. */
  readonly request: (url: URL, init: RequestInit) => Promise<Response>;
  /** False when Message Content Intent is not enabled in the developer portal; true when absent. */
  readonly hasMessageContent?: boolean;
  /** Origin under which clients reach the server, for example through a proxy; that of loopback when absent. */
  readonly origin?: string;
}

/** Place of a message of a person; a direct message of Alice when empty. */
export interface DiscordSpeech {
  readonly user?: DiscordUser;
  readonly channelId?: string;
  readonly files?: readonly DiscordFile[];
}

const GUILD_MESSAGES = 1 << 9;
const DIRECT_MESSAGES = 1 << 12;
const MESSAGE_CONTENT = 1 << 15;
const APPLICATION = "1000000000000000001";
/**
 * Messages of a bot in a channel within 5 seconds. https://docs.discord.com/developers/topics/rate-limits has no number:
 * Discord states it in headers, so that it may change; this is what clients see, for example
 * https://javacord.org/wiki/advanced-topics/ratelimits.html.
 */
const MOST_IN_CHANNEL = 5;
/** Requests of a bot in a second, "Global Rate Limit" of the same page of Discord. */
const MOST_A_SECOND = 50;

/** Fake of Discord: REST API, gateway and interactions, which checks requests as Discord does. */
export class DiscordServer implements AsyncDisposable {
  readonly botToken = "MTAwMDAwMDAwMDAwMDAwMDAwMQ.Gtest1.abcdefghijklmnopqrstuvwxyz0123456789AB";
  readonly applicationId = APPLICATION;
  readonly publicKey: string;
  readonly bot: DiscordUser = { id: APPLICATION, username: "openclaw", bot: true };
  readonly alice: DiscordUser = { id: "1000000000000000042", username: "alice", bot: false };
  readonly guild = new DiscordGuild();
  readonly gateway: DiscordGatewayServer;
  readonly rest: DiscordRestApi;
  /** Presses of buttons that the app answers. */
  readonly interactions = new DiscordInteractions();
  /** Text channel of the guild with the bot. */
  readonly general: DiscordChannel;
  /** Limits of messages, once a test enforces them. */
  readonly rates = new RateLimits();
  readonly #options: DiscordServerOptions;
  readonly #keys = generateKeyPairSync("ed25519");
  #faults: PlatformFault[] = [];
  #server: PlatformServer | undefined;

  /** @param options - interactions endpoint and intents */
  constructor(options: DiscordServerOptions) {
    this.#options = options;
    const spki = this.#keys.publicKey.export({ type: "spki", format: "der" });
    this.publicKey = spki.subarray(-32).toString("hex");
    for (const user of [this.bot, this.alice]) this.guild.users.set(user.id, user);
    this.general = this.guild.addChannel({ type: 0 });
    const { botToken: token, bot, guild } = this;
    this.gateway = new DiscordGatewayServer({
      token,
      bot,
      privilegedIntents: options.hasMessageContent === false ? 0 : MESSAGE_CONTENT,
      url: () => this.#gatewayUrl,
    });
    this.rest = new DiscordRestApi({
      ...{ guild, bot, token },
      interactions: this.interactions,
      gatewayUrl: () => this.#gatewayUrl,
      onPosted: (message) => this.#announce(message),
    });
  }

  /** Starts the server. */
  async listen(): Promise<void> {
    this.#server = await startPlatformServer(
      (request) => this.#answer(request),
      this.#options.origin,
    );
    this.gateway.attach(this.#server.http);
  }

  /** Origin of the server. */
  get origin(): string {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.origin;
  }

  /** Port on loopback. */
  get port(): number {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.port;
  }

  /** URL of the REST API, for `apiUrl` of a client. */
  get apiUrl(): string {
    return `${this.origin}/api/v10`;
  }

  /**
   * Writes a message as a person.
   * @param content - text; `<@1000000000000000001>` mentions the bot
   * @param speech - person, channel and files
   */
  say(content: string, { user = this.alice, channelId, files = [] }: DiscordSpeech = {}) {
    this.guild.users.set(user.id, user);
    const channel = channelId ?? this.guild.direct(user.id).id;
    const message = this.guild.post({ channelId: channel, author: user, content, files });
    this.#announce(message);
    return message;
  }

  /**
   * Sends the event of a message again.
   * @param message - a message of a person
   */
  repeat(message: DiscordMessage): void {
    this.#announce(message);
  }

  /** Checks the interactions endpoint, as Discord does when its URL is saved. */
  async verifyUrl(): Promise<boolean> {
    const ping = { id: this.guild.nextId(), application_id: APPLICATION, type: 1, version: 1 };
    const accepted = await this.sendInteraction(ping);
    const isAnswered = accepted.status === 200 && (await accepted.text()).includes('"type":1');
    return isAnswered && (await this.sendInteraction(ping, "00".repeat(64))).status === 401;
  }

  /**
   * Presses a button.
   * @param message - message of the bot
   * @param label - text on the button
   * @param user - the person; Alice when absent
   * @returns status of the answer
   * @throws Error when people would see that the interaction failed
   */
  async press(message: DiscordMessage, label: string, user = this.alice): Promise<number> {
    const button = message.buttons.find((each) => each.label === label);
    const channel = this.guild.channels.get(message.channelId);
    if (button === undefined || channel === undefined) throw new Error(`no button "${label}"`);
    const isDirect = channel.type === 1;
    const id = this.guild.nextId();
    const token = `interaction-token-${id}`;
    this.interactions.add({ id, token, channelId: channel.id });
    const response = await this.sendInteraction({
      id,
      application_id: APPLICATION,
      type: 3,
      token,
      version: 1,
      channel_id: channel.id,
      channel: this.guild.shownChannel(channel),
      ...(isDirect ? { user } : { guild_id: GUILD, member: { user } }),
      message: this.guild.shownMessage(message),
      data: { custom_id: button.customId, component_type: 2 },
    });
    if (response.status === 200) {
      this.interactions.acknowledge(token, answerIn(await response.text()));
    }
    return response.status;
  }

  /**
   * Sends an interaction.
   * @param interaction - its body
   * @param signature - signature instead of the right one
   */
  sendInteraction(interaction: object, signature?: string): Promise<Response> {
    const body = JSON.stringify(interaction);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = sign(null, Buffer.from(timestamp + body), this.#keys.privateKey);
    return this.#options.request(new URL(this.#options.interactionsUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-signature-ed25519": signature ?? signed.toString("hex"),
        "x-signature-timestamp": timestamp,
      },
      body,
    });
  }

  /**
   * Waits for a message of the bot.
   * @param matches - condition on the message
   */
  message(matches: (message: DiscordMessage) => boolean): Promise<DiscordMessage> {
    return this.guild.messages.find((each) => each.author.id === APPLICATION && matches(each));
  }

  /**
   * Rejects the messages of the bot in a channel.
   * @param reason - rights that the bot lacks, or a person who takes no direct messages
   */
  deny(channelId: string, reason: DiscordDenial): void {
    this.rest.denied.set(channelId, reason);
  }

  /**
   * Lets the next messages of the bot fail.
   * @param faults - failures, in order
   */
  fail(...faults: readonly PlatformFault[]): void {
    this.#faults = [...this.#faults, ...faults];
  }

  async close(): Promise<void> {
    this.gateway.close();
    await this.#server?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #gatewayUrl(): string {
    return this.origin.replace(/^http/, "ws");
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer> {
    const { path, method } = request;
    if (path.startsWith("/attachments/")) return this.#download(path);
    if (!path.startsWith("/api/v10/")) return { status: 404, body: {} };
    const isPost = method === "POST" && path.endsWith("/messages");
    const fault = isPost ? this.#faults.shift() : undefined;
    if (fault?.kind === "hang-up") throw new HangUp();
    if (fault?.kind === "outage") return { status: fault.status ?? 503, body: {} };
    if (fault?.kind === "rate-limit") return rateLimited(fault.retryAfterS);
    const wait = isPost ? this.#waitOf(path) : 0;
    if (wait > 0) return rateLimited(wait / 1000);
    const answer = await this.rest.answer(request);
    if (fault?.kind === "lost-answer") throw new HangUp();
    return answer;
  }

  #waitOf(path: string): number {
    return this.rates.take(
      { key: path, count: MOST_IN_CHANNEL, ms: 5000 },
      { key: "all", count: MOST_A_SECOND, ms: 1000 },
    );
  }

  #download(path: string): PlatformAnswer {
    const [, , channelId = "", id = "", index = ""] = path.split("/");
    const file = this.guild.find(channelId, id)?.files[Number(index)];
    if (file === undefined) return { status: 404, body: {} };
    return { headers: { "content-type": file.type }, body: file.content };
  }

  #announce(message: DiscordMessage): void {
    const channel = this.guild.channels.get(message.channelId);
    const isDirect = channel?.type === 1;
    const shown = { ...this.guild.shownMessage(message) };
    const data = isDirect ? shown : { ...shown, guild_id: GUILD };
    this.gateway.dispatch("MESSAGE_CREATE", data, isDirect ? DIRECT_MESSAGES : GUILD_MESSAGES);
  }
}

function rateLimited(retryAfterS: number): PlatformAnswer {
  const message = "You are being rate limited.";
  return {
    status: 429,
    headers: {
      "retry-after": String(Math.ceil(retryAfterS)),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset-after": retryAfterS.toFixed(3),
      "x-ratelimit-scope": "user",
    },
    body: { message, retry_after: retryAfterS, global: false },
  };
}

/**
 * Starts a fake Discord for tests of clients.
 * @param options - interactions endpoint and intents
 */
export async function startDiscordServer(options: DiscordServerOptions): Promise<DiscordServer> {
  const server = new DiscordServer(options);
  await server.listen();
  return server;
}
