import { randomBytes } from "node:crypto";
import {
  type PlatformAnswer,
  type PlatformFault,
  type PlatformRequest,
  type PlatformServer,
  startPlatformServer,
} from "../platform-server.js";
import { RateLimits } from "../rate-limits.js";
import { checkManifest, type SlackManifest } from "./app.js";
import { type AppRequest, SlackAppRequests, type SlackDelivery } from "./app-requests.js";
import { argumentsOf } from "./arguments.js";
import { changedEvent, channelType, contentOf, deletedEvent } from "./events.js";
import { rateLimited, SlackFaults } from "./faults.js";
import { SlackInteractions } from "./interactions.js";
import { SlackResponseUrls } from "./response-urls.js";
import { SlackSockets } from "./sockets.js";
import { downloaded, uploadedBytes } from "./upload.js";
import { type SlackChannelProblem, type SlackTokenProblem, SlackWebApi } from "./web-api.js";
import {
  BOT_USER,
  type SlackFile,
  type SlackMessage,
  type SlackUser,
  SlackWorkspace,
} from "./workspace.js";

/** Options of {@link startSlackServer}. */
export interface SlackServerOptions {
  /** The app; its scopes, events and URLs apply. */
  readonly manifest: SlackManifest;
  /** Sends requests to the URLs of the manifest. */
  readonly request: AppRequest;
  /** Origin under which clients reach the server, for example through a proxy; that of loopback when absent. */
  readonly origin?: string;
}

/** Message of a person; a direct message when `channel` is absent. */
export interface SlackSpeech {
  /** ID of the person; `U0ALICE001` when absent. */
  readonly user?: string;
  readonly channel?: string;
  readonly threadTs?: string;
  readonly files?: readonly Omit<SlackFile, "id">[];
}

const ALICE = "U0ALICE001";

/** Fake Slack: a workspace with the Web API, the Events API or Socket Mode, interactivity and slash commands. */
export class SlackServer implements AsyncDisposable {
  readonly botToken = `xoxb-${randomBytes(12).toString("hex")}`;
  /** App-level token with the scope `connections:write`. */
  readonly appToken = `xapp-1-${randomBytes(12).toString("hex")}`;
  readonly signingSecret = randomBytes(16).toString("hex");
  /** Connections of Socket Mode; used when the manifest enables it. */
  readonly sockets = new SlackSockets();
  readonly botUserId = BOT_USER;
  readonly workspace: SlackWorkspace;
  readonly api: SlackWebApi;
  /** URLs with which the app answers presses and commands. */
  readonly responses = new SlackResponseUrls();
  /** One message a second in each conversation, once a test enforces it. */
  readonly rates = new RateLimits();
  /** Calls of the Web API by method, oldest first; rejected ones, too. */
  readonly calls: string[] = [];
  readonly #options: SlackServerOptions;
  readonly #app: SlackAppRequests;
  readonly #interactions: SlackInteractions;
  readonly #faults = new SlackFaults();
  #server: PlatformServer | undefined;
  #hasFiles = true;

  /** @param options - the app */
  constructor(options: SlackServerOptions) {
    checkManifest(options.manifest);
    this.#options = options;
    const { features, oauth_config, settings } = options.manifest;
    this.workspace = new SlackWorkspace(features.bot_user.display_name);
    this.addUser({ id: ALICE, name: "Alice" });
    const { workspace, signingSecret } = this;
    const sockets = settings.socket_mode_enabled === true ? this.sockets : undefined;
    this.#app = new SlackAppRequests({ ...options, workspace, signingSecret, sockets });
    this.#interactions = new SlackInteractions({
      ...{ workspace, manifest: options.manifest, app: this.#app, responses: this.responses },
      origin: () => this.origin,
    });
    this.api = new SlackWebApi({
      workspace: this.workspace,
      botToken: this.botToken,
      scopes: oauth_config.scopes.bot,
      origin: () => this.origin,
    });
  }

  /** Starts the HTTP server. */
  async listen(): Promise<void> {
    this.#server = await startPlatformServer(
      (request) => this.#answer(request),
      this.#options.origin,
    );
    this.sockets.attach(this.#server.http);
  }

  /** Origin of the HTTP server. */
  get origin(): string {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.origin;
  }

  /** Port on loopback. */
  get port(): number {
    if (this.#server === undefined) throw new Error("the server is not started");
    return this.#server.port;
  }

  /** Base URL of the Web API, for `apiUrl` of a client. */
  get apiUrl(): string {
    return `${this.origin}/api/`;
  }

  /** Messages of the bot, oldest first. */
  get posted(): readonly SlackMessage[] {
    return this.workspace.messages.all.filter(({ user }) => user === BOT_USER);
  }

  /**
   * Adds a person.
   * @param user - ID and name
   */
  addUser(user: SlackUser): void {
    this.workspace.users.set(user.id, user);
  }

  /**
   * Adds a channel with the bot and some people.
   * @param id - for example `C0GENERAL1`
   * @param members - people in it
   * @param hasBot - false when the bot was not invited
   */
  addChannel(id: string, members: readonly string[] = [ALICE], hasBot = true): void {
    const all = new Set(hasBot ? [...members, BOT_USER] : members);
    this.workspace.conversations.set(id, { id, members: all });
  }

  /** Checks the request URL with a challenge, as Slack does when it is saved; with Socket Mode, the connection. */
  async verifyUrl(): Promise<boolean> {
    if (this.#options.manifest.settings.socket_mode_enabled === true) {
      return this.sockets.isConnected;
    }
    const challenge = randomBytes(16).toString("hex");
    const { request_url } = this.#options.manifest.settings.event_subscriptions;
    const body = JSON.stringify({ token: "t", challenge, type: "url_verification" });
    const response = await this.#app.send(request_url, body, "application/json");
    return response.status === 200 && (await response.text()).includes(challenge);
  }

  /**
   * Writes a message as a person.
   * @param text - text; `<@U0BOT00001>` mentions the bot
   * @param speech - person, channel, thread and files
   */
  async say(text: string, speech: SlackSpeech = {}): Promise<SlackDelivery> {
    const { user = ALICE, threadTs, files = [] } = speech;
    const channel = speech.channel ?? this.workspace.direct(user).id;
    const stored = files.map((file) => {
      const id = `F0FILE${this.workspace.next()}`;
      this.workspace.files.set(id, { id, ...file });
      return { id, ...file };
    });
    const message = this.workspace.post({ channel, user, text, threadTs, files: stored });
    const isMention = text.includes(`<@${BOT_USER}>`) && !channel.startsWith("D");
    const content = contentOf(message);
    const events = [
      { ...content, type: "message", channel_type: channelType(channel) },
      ...(isMention ? [{ ...content, type: "app_mention" }] : []),
    ];
    return this.#app.deliver(message.ts, events);
  }

  /**
   * Edits a message of a person.
   * @param delivery - the message
   * @param text - new text
   * @param channel - its channel; the direct conversation of Alice when absent
   */
  async edit(
    { ts }: Pick<SlackDelivery, "ts">,
    text: string,
    channel = this.workspace.direct(ALICE).id,
  ): Promise<SlackDelivery> {
    const message = this.#messageAt(channel, ts);
    const before = contentOf(message);
    message.text = text;
    return this.#app.deliver(ts, [changedEvent(message, before)]);
  }

  /**
   * Deletes a message of a person.
   * @param delivery - the message
   * @param channel - its channel; the direct conversation of Alice when absent
   */
  async remove(
    { ts }: Pick<SlackDelivery, "ts">,
    channel = this.workspace.direct(ALICE).id,
  ): Promise<SlackDelivery> {
    const message = this.#messageAt(channel, ts);
    message.isDeleted = true;
    return this.#app.deliver(ts, [deletedEvent(message)]);
  }

  /**
   * Presses a button.
   * @param message - message of the bot
   * @param label - text on the button
   * @param user - the person; Alice when absent
   * @returns status of the app's answer
   */
  press(message: SlackMessage, label: string, user = ALICE): Promise<number> {
    return this.#interactions.press(message, label, user);
  }

  /**
   * Runs a slash command as Alice.
   * @param command - for example `/openclaw`
   * @param text - text after it
   * @param channel - where it is written; the direct conversation when absent
   * @returns status of the app's answer
   */
  command(command: string, text: string, channel?: string): Promise<number> {
    const place = channel ?? this.workspace.direct(ALICE).id;
    return this.#interactions.command(command, text, { channel: place, user: ALICE });
  }

  /** Makes the token of the bot invalid, for a reason that Slack gives. */
  revokeToken(problem: SlackTokenProblem): void {
    this.api.tokenProblem = problem;
  }

  /**
   * Rejects messages in a channel.
   * @param id - the channel
   * @param problem - reason that Slack gives
   */
  closeChannel(id: string, problem: SlackChannelProblem): void {
    this.api.closed.set(id, problem);
  }

  /** Lets downloads of the files that people send from now on fail. */
  loseFiles(): void {
    this.#hasFiles = false;
  }

  /**
   * Sends any event, for tests of malformed ones.
   * @param event - content of `event`, or the whole body when it is a string
   * @param signature - signature instead of the right one
   * @returns status of the app's answer
   */
  async sendRaw(event: unknown, signature?: string): Promise<number> {
    const body = typeof event === "string" ? event : JSON.stringify(this.#app.envelope(event));
    const { request_url } = this.#options.manifest.settings.event_subscriptions;
    return (await this.#app.send(request_url, body, "application/json", { signature })).status;
  }

  /**
   * Waits for a message of the bot.
   * @param matches - condition on the message
   */
  message(matches: (message: SlackMessage) => boolean): Promise<SlackMessage> {
    return this.workspace.messages.find((each) => each.user === BOT_USER && matches(each));
  }

  /**
   * Lets the next calls of a method fail, one for each fault.
   * @param method - method of the Web API, for example `chat.postMessage`
   * @param faults - failures, in order
   */
  fail(method: string, ...faults: readonly PlatformFault[]): void {
    this.#faults.add(method, faults);
  }

  async close(): Promise<void> {
    this.sockets.close();
    await this.#server?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer> {
    const [, area = "", name = ""] = request.path.split("/");
    if (area === "upload") return this.api.upload(name, await uploadedBytes(request));
    if (area === "response") {
      const used = this.responses.use(name);
      if ("channel" in used) return this.api.respond(used.channel, request);
      return { status: 404, body: { ok: false, error: used.error } };
    }
    if (area === "files-pri") return this.#download(request);
    if (area !== "api") return { status: 404, body: Buffer.from("not found") };
    this.calls.push(name);
    if (name === "apps.connections.open") return this.#openConnection(request);
    return this.#faults.apply(name, () => {
      const wait = name === "chat.postMessage" ? this.#waitOf(request) : 0;
      return wait > 0 ? rateLimited(Math.ceil(wait / 1000)) : this.api.answer(name, request);
    });
  }

  #waitOf(request: PlatformRequest): number {
    try {
      return this.rates.take({ key: String(argumentsOf(request).channel), count: 1, ms: 1000 });
    } catch {
      // The method itself rejects arguments that cannot be read.
      return 0;
    }
  }

  #openConnection({ headers }: PlatformRequest): PlatformAnswer {
    const { manifest } = this.#options;
    if (headers.authorization !== `Bearer ${this.appToken}`) {
      return { body: { ok: false, error: "invalid_auth" } };
    }
    return manifest.settings.socket_mode_enabled === true
      ? { body: { ok: true, url: this.sockets.url(this.origin) } }
      : { body: { ok: false, error: "socket_mode_disabled" } };
  }

  #download(request: PlatformRequest): PlatformAnswer {
    const { botToken, workspace } = this;
    const { scopes } = this.#options.manifest.oauth_config;
    const files = this.#hasFiles ? workspace.files : new Map<string, SlackFile>();
    return downloaded(request, files, scopes.bot.includes("files:read") ? botToken : undefined);
  }

  #messageAt(channel: string, ts: string): SlackMessage {
    const message = this.workspace.find(channel, ts);
    if (message === undefined) throw new Error(`no message ${ts} in ${channel}`);
    return message;
  }
}

/**
 * Starts a fake Slack that validates requests as Slack does, for tests of clients.
 * @param options - the app
 */
export async function startSlackServer(options: SlackServerOptions): Promise<SlackServer> {
  const server = new SlackServer(options);
  await server.listen();
  return server;
}
