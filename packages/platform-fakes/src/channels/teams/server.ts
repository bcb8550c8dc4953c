import { randomUUID } from "node:crypto";
import type { Fields } from "../../models/rejection.js";
import {
  type PlatformAnswer,
  type PlatformFault,
  type PlatformRequest,
  type PlatformServer,
  startPlatformServer,
} from "../platform-server.js";
import { TeamsConnector, type TeamsSent } from "./connector.js";
import { type ConnectorClaims, type TeamsBot, TeamsIdentity } from "./identity.js";

/** Options of {@link startTeamsServer}. */
export interface TeamsServerOptions {
  /** Messaging endpoint of the bot. */
  readonly messagingEndpoint: string;
  /** Sends requests to the messaging endpoint. */
  readonly request: (url: URL, init: RequestInit) => Promise<Response>;
  /** Origin under which clients reach the server, for example through a proxy; that of loopback when absent. */
  readonly origin?: string;
}

/** Place in which a person writes. */
export type TeamsPlace =
  | { readonly kind: "personal" }
  | { readonly kind: "group" }
  /** Message of a channel; a reply when it names the first message of its thread. */
  | { readonly kind: "channel"; readonly thread?: string };

/** Message of a person. */
export interface TeamsSaid {
  readonly text: string;
  readonly from?: TeamsPerson;
  readonly in?: TeamsPlace;
  /** True mentions the bot at the start. */
  readonly isMention?: boolean;
  /** Image that is pasted into the message. */
  readonly image?: { readonly mimeType: string; readonly content: Uint8Array };
}

/** A person of the tenant. */
export interface TeamsPerson {
  readonly id: string;
  readonly name: string;
}

/** Activity that was sent to the bot. */
export interface TeamsDelivery {
  /** ID of the activity. */
  readonly id: string;
  readonly conversationId: string;
  /** Status of the answer of the bot. */
  readonly status: number;
  /** Sends the activity again, as Teams does when it is not answered with 200. */
  repeat(): Promise<TeamsDelivery>;
}

/** Alice, who writes when a message has no sender. */
export const TEAMS_ALICE: TeamsPerson = { id: "29:1-alice", name: "Alice" };
const BOT_NAME = "OpenClaw";
const CHANNEL = "19:general@thread.tacv2";
const GROUP = "19:group@thread.v2";

/** Fake of Microsoft Teams: connector of the Bot Framework, tokens in both directions, people. */
export class TeamsServer implements AsyncDisposable {
  readonly #identity = new TeamsIdentity();
  readonly #options: TeamsServerOptions;
  readonly #connector: TeamsConnector;
  #server: PlatformServer | undefined;

  /** @param options - messaging endpoint of the bot */
  constructor(options: TeamsServerOptions) {
    this.#options = options;
    this.#connector = new TeamsConnector(this.#identity.bot);
  }

  /** Messages of the bot, oldest first. */
  get sent(): TeamsConnector["sent"] {
    return this.#connector.sent;
  }

  /** Limits of messages, once a test enforces them. */
  get rates(): TeamsConnector["rates"] {
    return this.#connector.rates;
  }

  /** Conversations in which the bot showed that it is typing. */
  get typing(): readonly string[] {
    return this.#connector.typing;
  }

  get reactions(): TeamsConnector["reactions"] {
    return this.#connector.reactions;
  }

  /** Starts the HTTP server. */
  async listen(): Promise<void> {
    this.#server = await startPlatformServer(
      (request) => this.#answer(request),
      this.#options.origin,
    );
  }

  /** Origin of the connector, of the token endpoint and of the OpenID metadata. */
  get origin(): string {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.origin;
  }

  /** Port on loopback. */
  get port(): number {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.port;
  }

  /** Registration of the bot. */
  get bot(): TeamsBot {
    return this.#identity.bot;
  }

  /** URL of the OpenID metadata with the keys of the connector. */
  get openIdMetadataUrl(): string {
    return `${this.origin}/v1/.well-known/openidconfiguration`;
  }

  /** Service URL of the activities. */
  get serviceUrl(): string {
    return `${this.origin}/teams/`;
  }

  /**
   * Writes a message as a person.
   * @param said - text, or the message
   */
  say(said: string | TeamsSaid): Promise<TeamsDelivery> {
    const message = typeof said === "string" ? { text: said } : said;
    const { text, from = TEAMS_ALICE, in: place = { kind: "personal" }, image } = message;
    const bot = { id: `28:${this.bot.appId}`, name: BOT_NAME };
    const mention = `<at>${BOT_NAME}</at>`;
    return this.#send(from, place, {
      type: "message",
      text: message.isMention === true ? `${mention} ${text}` : text,
      textFormat: "plain",
      entities:
        message.isMention === true ? [{ type: "mention", mentioned: bot, text: mention }] : [],
      ...(image === undefined ? {} : { attachments: [this.#attachment(image)] }),
    });
  }

  /**
   * Presses a button of a message of the bot.
   * @param title - text on the button
   */
  press({ id, conversationId, buttons }: TeamsSent, title: string): Promise<TeamsDelivery> {
    const button = buttons.find((each) => each.title === title);
    if (button === undefined) throw new Error(`the message has no button "${title}"`);
    return this.#deliver(TEAMS_ALICE, conversationId, {
      type: "message",
      value: button.data,
      replyToId: id,
    });
  }

  /**
   * Changes a message of a person.
   * @param delivery - the message
   * @param text - new text
   */
  edit({ id, conversationId }: TeamsDelivery, text: string): Promise<TeamsDelivery> {
    const channelData = { eventType: "editMessage", tenant: { id: this.bot.tenantId } };
    return this.#deliver(TEAMS_ALICE, conversationId, {
      id,
      type: "messageUpdate",
      text,
      channelData,
    });
  }

  /**
   * Sends any request to the messaging endpoint.
   * @param claims - claims of its token that differ; null sends no token
   * @returns status of the answer
   */
  async sendRaw(body: string, claims: ConnectorClaims | null = {}): Promise<number> {
    const token = claims && this.#identity.connectorToken(this.serviceUrl, claims);
    const response = await this.#options.request(new URL(this.#options.messagingEndpoint), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
    });
    await response.body?.cancel();
    return response.status;
  }

  /**
   * Waits for a message of the bot.
   * @param matches - condition on the message
   */
  message(matches: (message: TeamsSent) => boolean): Promise<TeamsSent> {
    return this.sent.find(matches);
  }

  /**
   * Lets the next messages of the bot fail.
   * @param faults - failures, in order
   */
  fail(...faults: readonly PlatformFault[]): void {
    this.#connector.faults.push(...faults);
  }

  /** Makes the tokens invalid that the bot has. */
  revokeTokens(): void {
    this.#identity.revoke();
  }

  /** Lets the tokens expire that the bot has. */
  expireTokens(): void {
    this.#identity.advance(3600);
  }

  /**
   * Lets a person block the bot.
   * @param conversationId - conversation of the person with the bot
   */
  block(conversationId: string): void {
    this.#connector.blocked.add(conversationId);
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #attachment({ mimeType, content }: { readonly mimeType: string; readonly content: Uint8Array }) {
    const id = randomUUID();
    this.#connector.images.set(id, { mimeType, content });
    const contentUrl = `${this.serviceUrl}v3/attachments/${id}/views/original`;
    return { contentType: mimeType, contentUrl, name: "image" };
  }

  #send(from: TeamsPerson, place: TeamsPlace, fields: Fields): Promise<TeamsDelivery> {
    switch (place.kind) {
      case "personal":
        return this.#deliver(from, `a:1-${from.name.toLowerCase()}`, fields);
      case "group":
        return this.#deliver(from, GROUP, fields);
      case "channel": {
        const id = this.#connector.newId();
        const thread = place.thread ?? id;
        return this.#deliver(from, `${CHANNEL};messageid=${thread}`, { id, ...fields });
      }
    }
  }

  async #deliver(
    from: TeamsPerson,
    conversationId: string,
    fields: Fields,
  ): Promise<TeamsDelivery> {
    const { appId, tenantId } = this.bot;
    const isPersonal = !conversationId.startsWith("19:");
    const isChannel = conversationId.startsWith(CHANNEL);
    this.#connector.conversations.add(conversationId);
    const id = String(fields.id ?? this.#connector.newId());
    const activity = {
      ...{ id, channelId: "msteams", serviceUrl: this.serviceUrl },
      timestamp: new Date(Number(this.#connector.newId())).toISOString(),
      from: { ...from, aadObjectId: `00000000-0000-0000-0000-${from.name.toLowerCase()}` },
      recipient: { id: `28:${appId}`, name: BOT_NAME },
      conversation: {
        id: conversationId,
        tenantId,
        conversationType: isPersonal ? "personal" : isChannel ? "channel" : "groupChat",
        ...(isPersonal ? {} : { isGroup: true }),
      },
      channelData: {
        tenant: { id: tenantId },
        ...(isChannel ? { team: { id: CHANNEL }, channel: { id: CHANNEL } } : {}),
      },
      ...fields,
    };
    const body = JSON.stringify({ ...activity, id });
    const deliver = async (): Promise<TeamsDelivery> => ({
      id,
      conversationId,
      status: await this.sendRaw(body),
      repeat: deliver,
    });
    return deliver();
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer> {
    const identity = this.#identity.answer(request, this.origin);
    if (identity !== undefined) return identity;
    if (!this.#identity.isIssued(request.headers.authorization)) {
      return { status: 401, body: { message: "Authorization has been denied for this request." } };
    }
    return this.#connector.answer(request);
  }
}

/**
 * Starts a fake of Microsoft Teams that validates requests as Teams does, for tests of bots.
 * @param options - messaging endpoint of the bot
 */
export async function startTeamsServer(options: TeamsServerOptions): Promise<TeamsServer> {
  const server = new TeamsServer(options);
  await server.listen();
  return server;
}
