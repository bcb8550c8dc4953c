import { randomUUID } from "node:crypto";
import { fieldsOf } from "../../models/rejection.js";
import type { PlatformAnswer, PlatformRequest } from "../platform-server.js";
import {
  ApiError,
  type Arguments,
  argumentsOf,
  contentOf,
  jsonOf,
  missing,
  optionalText,
  requiredText,
} from "./arguments.js";
import { BOT_USER, type SlackMessage, type SlackWorkspace, TEAM } from "./workspace.js";

/** Dependencies of {@link SlackWebApi}. */
export interface SlackWebApiDependencies {
  readonly workspace: SlackWorkspace;
  readonly botToken: string;
  readonly scopes: readonly string[];
  /** Origin of the server, for URLs of uploads. */
  origin(): string;
}

/** Status below a thread, `assistant.threads.setStatus`. */
export interface SlackThreadStatus {
  readonly channel: string;
  readonly threadTs: string;
  readonly status: string;
}

interface Upload {
  readonly name: string;
  readonly length: number;
  content?: Uint8Array;
}

/** Reactions that one person or bot may add to a message. */
const MAXIMUM_REACTIONS = 23;

/** Reason why Slack does not accept a token that was valid. */
export type SlackTokenProblem = "token_expired" | "token_revoked" | "account_inactive";
/** Reason why Slack rejects messages in a conversation. */
export type SlackChannelProblem = "is_archived" | "restricted_action";

/** The Web API of Slack: methods, scopes, required arguments and limits. */
export class SlackWebApi {
  readonly statuses: SlackThreadStatus[] = [];
  /** Reason why the token is no longer accepted; undefined while it is. */
  tokenProblem: SlackTokenProblem | undefined;
  /** Conversations in which nothing can be posted. */
  readonly closed = new Map<string, SlackChannelProblem>();
  readonly #dependencies: SlackWebApiDependencies;
  readonly #uploads = new Map<string, Upload>();
  readonly #methods: Readonly<Record<string, { scope?: string; call(given: Arguments): object }>> =
    {
      "auth.test": { call: () => this.#authTest() },
      "chat.postMessage": { scope: "chat:write", call: (given) => this.#post(given) },
      "chat.update": { scope: "chat:write", call: (given) => this.#update(given) },
      "chat.delete": { scope: "chat:write", call: (given) => this.#delete(given) },
      "reactions.add": { scope: "reactions:write", call: (given) => this.#react(given) },
      "users.info": { scope: "users:read", call: (given) => this.#user(given) },
      "conversations.open": { scope: "im:write", call: (given) => this.#open(given) },
      "assistant.threads.setStatus": { scope: "chat:write", call: (given) => this.#status(given) },
      "files.getUploadURLExternal": {
        scope: "files:write",
        call: (given) => this.#uploadUrl(given),
      },
      "files.completeUploadExternal": {
        scope: "files:write",
        call: (given) => this.#complete(given),
      },
    };

  /** @param dependencies - workspace, token and scopes */
  constructor(dependencies: SlackWebApiDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Answers a call of a method.
   * @param method - for example `chat.postMessage`
   */
  answer(method: string, request: PlatformRequest): PlatformAnswer {
    try {
      return { body: { ok: true, ...this.#call(method, request) } };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { body: { ok: false, error: error.message, ...error.details } };
    }
  }

  /**
   * Takes the content of an upload.
   * @param id - ID of the file
   */
  upload(id: string, content: Uint8Array): PlatformAnswer {
    const upload = this.#uploads.get(id);
    if (upload === undefined) return { status: 404, body: Buffer.from("no upload") };
    if (content.byteLength !== upload.length) return { status: 400, body: Buffer.from("length") };
    upload.content = content;
    return { body: Buffer.from(`OK - ${content.byteLength}`) };
  }

  #call(method: string, request: PlatformRequest): object {
    const { botToken, scopes } = this.#dependencies;
    const known = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (known === undefined) throw new ApiError("unknown_method", { req_method: method });
    const given = argumentsOf(request);
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? given.token;
    if (token === undefined) throw new ApiError("not_authed");
    if (token !== botToken) throw new ApiError("invalid_auth");
    if (this.tokenProblem !== undefined) throw new ApiError(this.tokenProblem);
    const { scope } = known;
    if (scope !== undefined && !scopes.includes(scope)) {
      throw new ApiError("missing_scope", { needed: scope, provided: scopes.join(",") });
    }
    return known.call(given);
  }

  #authTest() {
    const { workspace } = this.#dependencies;
    const user = workspace.users.get(BOT_USER)?.name;
    return {
      url: "https://acme.slack.com/",
      team: "Acme",
      user,
      team_id: TEAM,
      user_id: BOT_USER,
      bot_id: "B0BOT00001",
    };
  }

  /**
   * Posts what an app answers to an interaction.
   * @param channel - conversation of the interaction
   */
  respond(channel: string, request: PlatformRequest): PlatformAnswer {
    try {
      const { text, blocks } = contentOf(argumentsOf(request));
      this.#dependencies.workspace.post({ channel, user: BOT_USER, text, blocks });
      return { body: Buffer.from("ok") };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: 400, body: { ok: false, error: error.message, ...error.details } };
    }
  }

  #post(given: Arguments) {
    const { workspace } = this.#dependencies;
    const channel = this.#postable(given.channel);
    const { text, blocks } = contentOf(given);
    const threadTs = this.#thread(channel, given);
    const message = workspace.post({ channel, user: BOT_USER, text, threadTs, blocks });
    return { channel, ts: message.ts, message: shownMessage(message) };
  }

  #update(given: Arguments) {
    const message = this.#ownMessage(given, "ts", "cant_update_message");
    const { text, blocks } = contentOf(given);
    message.earlier.push(message.text);
    message.text = text;
    message.blocks = blocks;
    this.#dependencies.workspace.messages.changed();
    const { channel, ts } = message;
    return { channel, ts, text, message: shownMessage(message) };
  }

  #delete(given: Arguments) {
    const message = this.#ownMessage(given, "ts", "cant_delete_message");
    message.isDeleted = true;
    this.#dependencies.workspace.messages.changed();
    return { channel: message.channel, ts: message.ts };
  }

  #react(given: Arguments) {
    const { workspace } = this.#dependencies;
    const name = requiredText(given, "name");
    if (!/^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/.test(name)) throw new ApiError("invalid_name");
    const channel = this.#conversation(given.channel);
    const message = workspace.find(channel, requiredText(given, "timestamp"));
    if (message === undefined) throw new ApiError("message_not_found");
    if (message.reactions.includes(name)) throw new ApiError("already_reacted");
    if (message.reactions.length >= MAXIMUM_REACTIONS) throw new ApiError("too_many_reactions");
    message.reactions.push(name);
    workspace.messages.changed();
    return {};
  }

  #user(given: Arguments) {
    const user = this.#dependencies.workspace.users.get(requiredText(given, "user"));
    if (user === undefined) throw new ApiError("user_not_found");
    const { id, name, isBot = false } = user;
    const profile = { real_name: name, display_name: name };
    return {
      user: {
        id,
        team_id: TEAM,
        name: name.toLowerCase(),
        real_name: name,
        is_bot: isBot,
        profile,
      },
    };
  }

  #open(given: Arguments) {
    const { workspace } = this.#dependencies;
    const userId = requiredText(given, "users");
    if (!workspace.users.has(userId)) throw new ApiError("user_not_found");
    return { channel: { id: workspace.direct(userId).id } };
  }

  #status(given: Arguments) {
    const channel = this.#conversation(given.channel_id, "channel_id");
    const threadTs = requiredText(given, "thread_ts");
    if (typeof given.status !== "string") throw missing("status");
    this.statuses.push({ channel, threadTs, status: given.status });
    return {};
  }

  #uploadUrl(given: Arguments) {
    const name = requiredText(given, "filename");
    const length = Number(given.length);
    if (!Number.isInteger(length) || length < 1) throw missing("length");
    const id = `F${randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase()}`;
    this.#uploads.set(id, { name, length });
    return { upload_url: `${this.#dependencies.origin()}/upload/${id}`, file_id: id };
  }

  #complete(given: Arguments) {
    const { workspace } = this.#dependencies;
    const channel = this.#postable(given.channel_id, "channel_id");
    const listed = jsonOf(given.files);
    if (!Array.isArray(listed) || listed.length === 0) throw missing("files");
    const files = listed.map((item) => {
      const id = requiredText(fieldsOf(item) ?? {}, "id");
      const upload = this.#uploads.get(id);
      if (upload?.content === undefined) throw new ApiError("file_not_found");
      const { name, content } = upload;
      const file = { id, name, mimetype: "application/octet-stream", content };
      workspace.files.set(id, file);
      return file;
    });
    const threadTs = this.#thread(channel, given);
    workspace.post({ channel, user: BOT_USER, text: "", threadTs, files });
    return { files: files.map(({ id, name }) => ({ id, title: name })) };
  }

  #conversation(value: unknown, field = "channel"): string {
    if (typeof value !== "string" || value === "") throw missing(field);
    const found = this.#dependencies.workspace.conversations.get(value);
    if (found === undefined) throw new ApiError("channel_not_found");
    if (!found.members.has(BOT_USER)) throw new ApiError("not_in_channel");
    return value;
  }

  /** Returns a conversation in which messages can be posted. */
  #postable(value: unknown, field?: string): string {
    const channel = this.#conversation(value, field);
    const problem = this.closed.get(channel);
    if (problem !== undefined) throw new ApiError(problem);
    return channel;
  }

  #thread(channel: string, given: Arguments): string | undefined {
    const threadTs = optionalText(given, "thread_ts");
    if (threadTs === undefined) return undefined;
    if (!/^\d+\.\d+$/.test(threadTs)) throw new ApiError("invalid_thread_ts");
    if (this.#dependencies.workspace.find(channel, threadTs) === undefined) {
      throw new ApiError("thread_not_found");
    }
    return threadTs;
  }

  #ownMessage(given: Arguments, field: string, refusal: string): SlackMessage {
    const channel = this.#conversation(given.channel);
    const message = this.#dependencies.workspace.find(channel, requiredText(given, field));
    if (message === undefined) throw new ApiError("message_not_found");
    if (message.user !== BOT_USER) throw new ApiError(refusal);
    return message;
  }
}

function shownMessage({ ts, text, blocks, threadTs }: SlackMessage): object {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  return { type: "message", user: BOT_USER, bot_id: "B0BOT00001", ts, text, blocks, ...thread };
}
