import type { ConnectionContext, PlatformConnection } from "../presets/preset.js";
import {
  type DiscordRest,
  type GatewayDispatch,
  type GatewayManager,
  type GatewaySession,
  loadDiscordLibrary,
} from "./library.js";

/** Guilds, their messages, direct messages, and the content of messages. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);
/** Closes a connection so that Discord keeps its session. */
const KEEP_SESSION = 4200;
const SESSION = "gateway-session";
const THREAD_TYPES = new Set<unknown>([10, 11, 12]);
/** Maximum number of channels whose type is remembered. */
const MAXIMUM_CHANNELS = 1000;

/** Settings of the connection. */
export interface GatewaySettings {
  readonly botToken: string;
  /** URL of the REST API with its version. */
  readonly apiUrl: string;
}

/**
 * Receives the messages of Discord. The position up to which they are stored is kept, so that Discord sends the
 * messages again that were missed while the host did not run.
 */
export class DiscordGateway implements PlatformConnection {
  readonly #context: ConnectionContext;
  readonly #settings: GatewaySettings;
  /** Sequence numbers of events that are not stored yet. */
  readonly #pending = new Set<number>();
  /** Last event of each channel: messages of a channel keep their order. */
  readonly #channels = new Map<string, Promise<void>>();
  readonly #parents = new Map<string, string | undefined>();
  #manager: GatewayManager | undefined;
  #rest: DiscordRest | undefined;
  #session: GatewaySession | null = null;
  #isClosed = false;

  /**
   * @param context - adapter, state and log
   * @param settings - token and URL
   */
  constructor(context: ConnectionContext, settings: GatewaySettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /**
   * Connects, and continues the session of the last connection if Discord still has it.
   * @throws the error of Discord when it does not accept the token or the intents
   */
  async open(): Promise<void> {
    const { folder, state, onFailure, logger } = this.#context;
    const { botToken, apiUrl } = this.#settings;
    const { createRest, createManager } = await loadDiscordLibrary(folder);
    this.#rest = createRest(apiUrl.replace(/\/v\d+\/?$/, "")).setToken(botToken);
    this.#session = await state.get<GatewaySession>(SESSION);
    const manager = createManager({
      token: botToken,
      intents: INTENTS,
      rest: this.#rest,
      retrieveSessionInfo: () => this.#session,
      updateSessionInfo: (_shard, session) => {
        // The library forgets the session when it closes; a later start continues it.
        if (!this.#isClosed) this.#session = session;
      },
    });
    this.#manager = manager;
    manager.on("dispatch", ({ data }) => this.#receive(data));
    const failed = new Promise<never>((_resolve, reject) => {
      manager.on("error", ({ error }) => {
        reject(error);
        onFailure(error);
      });
    });
    failed.catch((error: unknown) => logger.debug("the gateway failed", { error }));
    try {
      await Promise.race([manager.connect(), failed]);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#manager?.destroy({ code: KEEP_SESSION });
    await Promise.all(this.#channels.values());
  }

  #receive(event: GatewayDispatch): void {
    if (event.t !== "MESSAGE_CREATE") return;
    const channelId = String(event.d.channel_id);
    this.#pending.add(event.s);
    const before = this.#channels.get(channelId);
    const done = (async () => {
      await before;
      await this.#hand(event);
    })();
    this.#channels.set(channelId, done);
    void done.then(() => {
      if (this.#channels.get(channelId) === done) this.#channels.delete(channelId);
    });
  }

  async #hand({ s: sequence, d: data }: GatewayDispatch): Promise<void> {
    const { handle, logger } = this.#context;
    try {
      const body = { type: "GATEWAY_MESSAGE_CREATE", timestamp: Date.now(), data };
      const response = await handle(
        new Request("https://gateway.invalid/", {
          method: "POST",
          headers: { "x-discord-gateway-token": this.#settings.botToken },
          body: JSON.stringify({ ...body, data: { ...data, ...(await this.#threadOf(data)) } }),
        }),
      );
      // While the host stops, the message stays unconfirmed, and Discord sends it to the next connection.
      if (response.status === 503 && this.#isClosed) return;
    } catch (error) {
      logger.warn("a message of Discord was not received", { error });
    }
    this.#pending.delete(sequence);
    await this.#confirm();
  }

  /** Stores the position before the first event that is not stored yet. */
  async #confirm(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    const sequence = Math.min(session.sequence, ...[...this.#pending].map((each) => each - 1));
    await this.#context.state.set(SESSION, { ...session, sequence });
  }

  /** Returns the thread of a message: Discord reports a thread as a channel. */
  async #threadOf({ channel_id: id, guild_id: guildId }: GatewayDispatch["d"]): Promise<object> {
    if (typeof id !== "string" || guildId === undefined) return {};
    if (!this.#parents.has(id)) {
      const channel = await this.#rest?.get(`/channels/${id}`);
      const [type, parent] = fieldsOf(channel, ["type", "parent_id"]);
      const isThread = THREAD_TYPES.has(type) && typeof parent === "string";
      if (this.#parents.size >= MAXIMUM_CHANNELS) this.#parents.clear();
      this.#parents.set(id, isThread ? parent : undefined);
    }
    const parentId = this.#parents.get(id);
    return parentId === undefined ? {} : { thread: { id, parent_id: parentId } };
  }
}

function fieldsOf(value: unknown, keys: readonly string[]): readonly unknown[] {
  const isObject = typeof value === "object" && value !== null;
  return keys.map((key) => (isObject ? Reflect.get(value, key) : undefined));
}
