import { type Fields, fieldsOf } from "../../models/rejection.js";
import type { PlatformAnswer, PlatformRequest } from "../platform-server.js";
import type {
  DiscordChannel,
  DiscordFile,
  DiscordGuild,
  DiscordMessage,
  DiscordUser,
} from "./guild.js";
import type { DiscordInteractions } from "./interactions.js";
import { badLength, DiscordRefusal, invalidField, tooLong } from "./refusal.js";
import { readMessage } from "./rules.js";

/** Largest file of a message in a guild without boosts, in bytes. */
const FILE_LIMIT = 10 * 1024 * 1024;
/** Maximum number of files of a message. */
const FILES = 10;
/** Maximum number of different reactions below a message. */
const REACTIONS = 20;
/** Reasons why the bot may not write in a channel. */
const DENIALS = {
  access: [50001, "Missing Access"],
  permissions: [50013, "Missing Permissions"],
  direct: [50007, "Cannot send messages to this user"],
} as const;

/** Reason why the bot may not write in a channel. */
export type DiscordDenial = keyof typeof DENIALS;

/** Dependencies of {@link DiscordRestApi}. */
export interface DiscordRestDependencies {
  readonly guild: DiscordGuild;
  readonly bot: DiscordUser;
  readonly token: string;
  readonly interactions: DiscordInteractions;
  /** URL of the gateway. */
  gatewayUrl(): string;
  /** Called with each message of the bot. */
  onPosted(message: DiscordMessage): void;
}

/** The REST API of Discord, version 10. */
export class DiscordRestApi {
  /** IDs of the channels in which the bot was shown as writing. */
  readonly typing: string[] = [];
  /** Channels in which the bot may not write. */
  readonly denied = new Map<string, DiscordDenial>();
  readonly #dependencies: DiscordRestDependencies;

  /** @param dependencies - guild, bot and token */
  constructor(dependencies: DiscordRestDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Answers a request.
   * @param request - a request below `/api/v10`
   */
  async answer(request: PlatformRequest): Promise<PlatformAnswer> {
    try {
      // The token of an interaction is in the path.
      const isInteraction = /^\/api\/v10\/(?:interactions|webhooks)\//.test(request.path);
      const isBot = request.headers.authorization === `Bot ${this.#dependencies.token}`;
      if (!isInteraction && !isBot) {
        throw new DiscordRefusal(401, 0, "401: Unauthorized");
      }
      const body = await this.#route(request);
      return body === undefined ? { status: 204 } : { body };
    } catch (error) {
      if (!(error instanceof DiscordRefusal)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  async #route(request: PlatformRequest): Promise<object | undefined> {
    const { guild, bot, gatewayUrl, interactions } = this.#dependencies;
    const parts = request.path.split("/").slice(3);
    const [area = "", id = "", edge, messageId = "", sub, ...rest] = parts;
    checkSnowflakes(area, id, edge, messageId);
    const shape = [request.method, area, ...(area === "users" ? [id] : []), edge, sub].join(" ");
    if (area === "gateway") {
      const limit = { total: 1000, remaining: 999, reset_after: 1, max_concurrency: 1 };
      return { url: gatewayUrl(), shards: 1, session_start_limit: limit };
    }
    if (shape.startsWith("GET users @me")) return { ...bot };
    if (shape.startsWith("POST users @me channels")) {
      const userId = String(jsonOf(request).recipient_id);
      if (!guild.users.has(userId)) throw new DiscordRefusal(400, 50033, "Invalid Recipient(s)");
      return guild.shownChannel(guild.direct(userId));
    }
    if (area === "interactions" && sub === undefined) {
      interactions.acknowledge(edge ?? "", jsonOf(request), id);
      return undefined;
    }
    if (area === "webhooks" && request.method === "POST") {
      return this.#post(this.#channel(interactions.channelOf(edge ?? "")), request);
    }
    if (area !== "channels") throw new DiscordRefusal(404, 0, "404: Not Found");
    const channel = this.#channel(id);
    switch ([request.method, edge, sub].join(" ").trim()) {
      case "GET":
        return guild.shownChannel(channel);
      case "POST typing":
        this.typing.push(id);
        return undefined;
      case "POST messages":
        return this.#post(channel, request);
      case "PATCH messages":
        return this.#edit(this.#own(id, messageId), jsonOf(request));
      case "DELETE messages":
        this.#own(id, messageId).isDeleted = true;
        guild.messages.changed();
        return undefined;
      case "PUT messages reactions":
        return this.#react(this.#message(id, messageId), decodeURIComponent(rest[0] ?? ""));
      case "POST messages threads":
        return this.#thread(channel, messageId, jsonOf(request));
      default:
        throw new DiscordRefusal(405, 0, "405: Method Not Allowed");
    }
  }

  async #post(channel: DiscordChannel, request: PlatformRequest): Promise<object> {
    const { guild, bot, onPosted } = this.#dependencies;
    const denial = this.denied.get(channel.id);
    if (denial !== undefined) {
      const [code, problem] = DENIALS[denial];
      throw new DiscordRefusal(403, code, problem);
    }
    const { body, files } = await partsOf(request);
    this.#checkReference(channel.id, body.message_reference);
    const content = readMessage(body, files.length > 0);
    const message = guild.post({ channelId: channel.id, author: bot, ...content, files });
    onPosted(message);
    return guild.shownMessage(message);
  }

  #checkReference(channelId: string, reference: unknown): void {
    const { message_id: id, fail_if_not_exists: mustExist } = fieldsOf(reference) ?? {};
    if (id === undefined || mustExist === false) return;
    if (this.#dependencies.guild.find(channelId, String(id)) === undefined) {
      throw invalidField(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
    }
  }

  #edit(message: DiscordMessage, body: Fields): object {
    const { guild } = this.#dependencies;
    message.earlier.push(message.content);
    const { content: text, embeds, components } = body;
    // A message keeps its files, and the fields that the request does not have.
    const unchanged = text === undefined && embeds === undefined && components === undefined;
    const content = readMessage({ ...body }, unchanged || message.files.length > 0);
    Object.assign(message, content);
    guild.messages.changed();
    return guild.shownMessage(message);
  }

  #react(message: DiscordMessage, emoji: string): undefined {
    if (!/^\p{Extended_Pictographic}/u.test(emoji)) {
      throw new DiscordRefusal(400, 10014, "Unknown Emoji");
    }
    if (!message.reactions.includes(emoji) && message.reactions.length >= REACTIONS) {
      throw new DiscordRefusal(400, 30010, `Maximum number of reactions reached (${REACTIONS})`);
    }
    message.reactions.push(emoji);
    this.#dependencies.guild.messages.changed();
    return undefined;
  }

  #thread(channel: DiscordChannel, messageId: string, { name }: Fields): object {
    const { guild } = this.#dependencies;
    if (channel.type !== 0) {
      throw new DiscordRefusal(400, 50024, "Cannot execute action on this channel type");
    }
    this.#message(channel.id, messageId);
    if (typeof name !== "string" || name === "" || name.length > 100) {
      throw badLength(["name"], 100);
    }
    if (guild.channels.has(messageId)) {
      throw new DiscordRefusal(400, 160004, "A thread has already been created for this message");
    }
    // A thread has the ID of its first message.
    const thread = guild.addChannel({ id: messageId, type: 11, parentId: channel.id });
    return { ...guild.shownChannel(thread), name };
  }

  #channel(id: string): DiscordChannel {
    const channel = this.#dependencies.guild.channels.get(id);
    if (channel === undefined) throw new DiscordRefusal(404, 10003, "Unknown Channel");
    return channel;
  }

  #message(channelId: string, id: string): DiscordMessage {
    const message = this.#dependencies.guild.find(channelId, id);
    if (message === undefined) throw new DiscordRefusal(404, 10008, "Unknown Message");
    return message;
  }

  #own(channelId: string, id: string): DiscordMessage {
    const message = this.#message(channelId, id);
    if (message.author.id === this.#dependencies.bot.id) return message;
    throw new DiscordRefusal(403, 50005, "Cannot edit a message authored by another user");
  }
}

function checkSnowflakes(area: string, id: string, edge: string | undefined, messageId: string) {
  const ids = [
    ...(area === "channels" ? [["channel_id", id] as const] : []),
    ...(edge === "messages" && messageId !== "" ? [["message_id", messageId] as const] : []),
  ];
  for (const [field, value] of ids) {
    if (/^\d{1,20}$/.test(value)) continue;
    throw invalidField([field], "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`);
  }
}

function jsonOf({ headers, body }: PlatformRequest): Fields {
  if (headers["content-type"]?.startsWith("application/json") !== true) {
    const problem = "Expected \"Content-Type\" header to be one of {'application/json'}.";
    throw invalidField([], "CONTENT_TYPE_INVALID", problem);
  }
  return parsed(body.toString("utf8"));
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text)) ?? {};
  } catch {
    throw new DiscordRefusal(400, 50109, "The request body contains invalid JSON.");
  }
}

async function partsOf(request: PlatformRequest): Promise<{ body: Fields; files: DiscordFile[] }> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return { body: jsonOf(request), files: [] };
  const form = await new Response(request.body, { headers: { "content-type": type } }).formData();
  const files: DiscordFile[] = [];
  for (const [key, value] of form) {
    if (!(value instanceof File)) continue;
    if (value.size > FILE_LIMIT) throw new DiscordRefusal(413, 40005, "Request entity too large");
    if (!/^files\[\d+\]$/.test(key)) {
      throw invalidField([key], "FILE_FIELD_INVALID", "Files are in fields named files[n].");
    }
    const content = new Uint8Array(await value.arrayBuffer());
    files.push({ name: value.name, type: value.type, content });
  }
  if (files.length > FILES) throw tooLong(["attachments"], FILES);
  const payload = form.get("payload_json");
  return { body: parsed(typeof payload === "string" ? payload : "{}"), files };
}
